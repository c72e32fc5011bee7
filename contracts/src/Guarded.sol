// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// @title A contract whose powers are divided among roles that no one account can join
/// @notice The operator's key is held by a running service; guardians can only stop the contract;
/// the council names the keys and resumes after a stop; the owner, a timelock in production, can
/// loosen limits. A stolen key can do only what its own role allows.
abstract contract Guarded is Ownable2Step, Pausable {
    /// @notice The initial holders of the roles; the guardian may be zero.
    struct Roles {
        address owner;
        address council;
        address guardian;
        address operator;
    }

    /// @notice The account whose signatures, or in the register transactions, are accepted.
    address public operator;
    /// @notice Names the hot keys and ends a pause.
    address public council;
    /// @notice The accounts that may stop this contract and tighten its limits.
    mapping(address account => bool) public isGuardian;
    /// @notice Whether this contract is permanently retired.
    bool public retired;

    /// @notice The operator's key was replaced.
    event OperatorChanged(address indexed previousOperator, address indexed newOperator);
    /// @notice The council was replaced.
    event CouncilChanged(address indexed previousCouncil, address indexed newCouncil);
    /// @notice An account became a guardian, or ceased to be one.
    event GuardianChanged(address indexed guardian, bool wasGuardian, bool guards);
    /// @notice The contract was permanently retired.
    event Retired();

    /// @notice Only the operator may do this.
    error NotOperator(address caller);
    /// @notice Only the council may do this.
    error NotCouncil(address caller);
    /// @notice Only a guardian, the council or, for a pause, the owner may do this.
    error NotGuardian(address caller);
    /// @notice This account cannot hold the role: it is zero, or holds a role that excludes it.
    error InvalidRole(address candidate);
    /// @notice Without an owner a stopped contract could never be resumed.
    error RenounceDisabled();
    /// @notice This contract is permanently retired.
    error ContractRetired();

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    modifier onlyCouncil() {
        if (msg.sender != council) revert NotCouncil(msg.sender);
        _;
    }

    modifier onlyGuardians() {
        if (!_isGuarding(msg.sender)) revert NotGuardian(msg.sender);
        _;
    }

    modifier whenActive() {
        if (retired) revert ContractRetired();
        _requireNotPaused();
        _;
    }

    constructor(Roles memory roles) Ownable(roles.owner) {
        _setCouncil(roles.council);
        _setOperator(roles.operator);
        if (roles.guardian != address(0)) _setGuardian(roles.guardian, true);
    }

    /// @notice Replaces the operator; everything that the previous one signed is void at once.
    function setOperator(address newOperator) external onlyCouncil {
        _setOperator(newOperator);
    }

    /// @notice Adds or removes a guardian.
    function setGuardian(address guardian, bool guards) external onlyCouncil {
        _setGuardian(guardian, guards);
    }

    /// @notice Replaces the council.
    function setCouncil(address newCouncil) external onlyOwner {
        _setCouncil(newCouncil);
    }

    /// @notice Stops every movement of money until `unpause`.
    function pause() external {
        if (!_isGuarding(msg.sender) && msg.sender != owner()) revert NotGuardian(msg.sender);
        _pause();
    }

    /// @notice Lets money move again.
    function unpause() external {
        if (msg.sender != council && msg.sender != owner()) revert NotCouncil(msg.sender);
        if (retired) revert ContractRetired();
        _unpause();
    }

    /// @notice Always reverts.
    function renounceOwnership() public pure override {
        revert RenounceDisabled();
    }

    /// @dev Retires the contract; it must be paused, and stays paused.
    function _retire() internal {
        _requirePaused();
        if (retired) revert ContractRetired();
        retired = true;
        emit Retired();
    }

    /// @dev Keys held by running processes; each belongs to one role only.
    function _isHot(address account) internal view virtual returns (bool) {
        return account == operator || isGuardian[account];
    }

    /// @dev Accounts of people, which may coincide with each other but never with a hot key.
    function _isCold(address account) internal view virtual returns (bool) {
        return account == owner() || account == council;
    }

    function _requireHotCandidate(address candidate) internal view {
        if (candidate == address(0) || _isHot(candidate) || _isCold(candidate)) {
            revert InvalidRole(candidate);
        }
    }

    function _requireColdCandidate(address candidate) internal view {
        if (candidate == address(0) || _isHot(candidate)) revert InvalidRole(candidate);
    }

    function _isGuarding(address account) internal view returns (bool) {
        return isGuardian[account] || account == council;
    }

    function _transferOwnership(address newOwner) internal virtual override {
        _requireColdCandidate(newOwner);
        super._transferOwnership(newOwner);
    }

    function _setOperator(address newOperator) internal virtual {
        _requireHotCandidate(newOperator);
        emit OperatorChanged(operator, newOperator);
        operator = newOperator;
    }

    function _setGuardian(address guardian, bool guards) private {
        if (guards && !isGuardian[guardian]) _requireHotCandidate(guardian);
        emit GuardianChanged(guardian, isGuardian[guardian], guards);
        isGuardian[guardian] = guards;
    }

    function _setCouncil(address newCouncil) private {
        _requireColdCandidate(newCouncil);
        emit CouncilChanged(council, newCouncil);
        council = newCouncil;
    }
}
