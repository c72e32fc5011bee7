// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title The used part of a limit that refills evenly over a period
/// @notice A whole limit never refills at one moment: within any one period less than twice the
/// limit can be used. Rounding keeps more used, never less.
library LeakyWindow {
    /// @dev The value of `used` at the time `since`.
    struct Use {
        uint192 used;
        uint64 since;
    }

    /// @notice The part used now of a limit that refills over `period` seconds.
    function current(
        Use storage use,
        uint256 limit,
        uint256 period
    ) internal view returns (uint256) {
        uint256 used = use.used;
        if (period == 0) return used;
        uint256 back = (limit * (block.timestamp - use.since)) / period;
        return back < used ? used - back : 0;
    }

    /// @notice Stores the part used now, so that a change of the limit applies from now on.
    function set(Use storage use, uint256 used) internal {
        use.used = uint192(used);
        use.since = uint64(block.timestamp);
    }
}
