// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title A contract with two hands: an owner who configures and an operator who works
/// @notice The operator's key lies in a running service, the owner's key does not. They are never
/// the same account, so that a stolen operator key can be replaced and the contract paused.
abstract contract OperatorControlled is Ownable2Step, Pausable {
    /// @notice The account whose transactions and signatures this contract obeys.
    address public operator;

    /// @notice The operator's key was replaced.
    event OperatorChanged(address indexed previousOperator, address indexed newOperator);

    /// @notice Only the operator may do this.
    error NotOperator(address caller);
    /// @notice The operator must be an account of its own: neither the owner nor zero.
    error InvalidOperator(address candidate);

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    constructor(address initialOwner, address initialOperator) Ownable(initialOwner) {
        _setOperator(initialOperator);
    }

    /// @notice Replaces the operator; everything signed by the one before is void at once.
    function setOperator(address newOperator) external onlyOwner {
        _setOperator(newOperator);
    }

    /// @notice Stops every movement of money until `unpause`.
    function pause() external onlyOwner {
        _pause();
    }

    /// @notice Lets money move again.
    function unpause() external onlyOwner {
        _unpause();
    }

    /// @dev Ownership cannot pass to the operator, or the two hands would become one.
    function _transferOwnership(address newOwner) internal virtual override {
        if (newOwner != address(0) && newOwner == operator) revert InvalidOperator(newOwner);
        super._transferOwnership(newOwner);
    }

    function _setOperator(address newOperator) private {
        if (newOperator == address(0) || newOperator == owner()) revert InvalidOperator(newOperator);
        emit OperatorChanged(operator, newOperator);
        operator = newOperator;
    }
}
