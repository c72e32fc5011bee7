// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @notice What tells whether a contract has ended its work for ever.
interface IEnding {
    /// @notice Only contracts that can be retired answer this.
    function retired() external view returns (bool);

    /// @notice Whether money stands still.
    function paused() external view returns (bool);

    /// @notice Zero once ownership was renounced, after which nobody can end a pause.
    function owner() external view returns (address);
}

/// @title Whether the contract whose numbers another one continues has come to its end
library Predecessor {
    /// @notice The predecessor could still change the numbers that are continued here.
    error PredecessorActive(address predecessor);

    /// @notice Retired or, where a contract knows no retiring, paused with nobody to unpause it.
    function requireEnded(address predecessor) internal view {
        if (predecessor == address(0)) return;
        try IEnding(predecessor).retired() returns (bool isRetired) {
            if (isRetired) return;
        } catch {
            if (IEnding(predecessor).paused() && IEnding(predecessor).owner() == address(0)) {
                return;
            }
        }
        revert PredecessorActive(predecessor);
    }
}
