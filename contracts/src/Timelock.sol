// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// @title Timelock
/// @notice The owner of the exchange's contracts: its operations can be read, and cancelled, before
/// they take effect. Proposers may cancel, anyone may execute, and it has no other administrator.
contract Timelock is TimelockController {
    constructor(
        uint256 delay,
        address[] memory proposers,
        address[] memory executors
    ) TimelockController(delay, proposers, executors, address(0)) {}
}
