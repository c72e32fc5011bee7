// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @notice Reads whether a contract is permanently out of use.
interface IEnding {
    /// @notice Only contracts that can be retired answer this.
    function retired() external view returns (bool);

    /// @notice Whether no money can move.
    function paused() external view returns (bool);

    /// @notice Zero once ownership was renounced, after which a pause cannot end.
    function owner() external view returns (address);
}

/// @title Whether the predecessor of a contract is permanently out of use
library Predecessor {
    /// @notice The predecessor could still change the numbers that are continued here.
    error PredecessorActive(address predecessor);

    /// @notice Retired or, if a contract cannot be retired, paused without an owner to unpause it.
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
