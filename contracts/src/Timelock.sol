// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// @title Timelock
/// @notice The owner of the exchange's contracts: what it does can be read, and cancelled, before.
/// Whoever proposes may cancel, anybody executes, and nobody else administers it.
contract Timelock is TimelockController {
    constructor(
        uint256 delay,
        address[] memory proposers,
        address[] memory executors
    ) TimelockController(delay, proposers, executors, address(0)) {}
}
