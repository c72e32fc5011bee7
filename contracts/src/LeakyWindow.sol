// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @title What was used of a limit, coming back evenly over a period
/// @notice There is no hour at which a whole limit comes back at once: within any one period less
/// than twice the limit can be used. Rounding keeps more used, never less.
library LeakyWindow {
    /// @dev `used` as it stood at the time `since`.
    struct Use {
        uint192 used;
        uint64 since;
    }

    /// @notice What is used now of a limit that comes back over `period` seconds.
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

    /// @notice Saves what is used now, so that a change of the limit counts from now on.
    function set(Use storage use, uint256 used) internal {
        use.used = uint192(used);
        use.since = uint64(block.timestamp);
    }
}
