// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {OperatorControlled} from "./OperatorControlled.sol";

/// @title Referral rewards: settled by the operator, redeemed by the accounts that earned them
/// @notice A signature of the operator only says "this account may redeem now". How much there is
/// to redeem is decided here: never more than was settled for the account and not yet claimed. A
/// signature over any other amount is worthless.
contract RewardRouterV1 is OperatorControlled, EIP712, Nonces, ReentrancyGuard {
    using SafeERC20 for IERC20;

    /// @notice The EIP-712 type that the operator signs.
    bytes32 public constant REDEEM_REWARD_TYPEHASH =
        keccak256("RedeemReward(address account,uint256 value,uint256 nonce,uint256 deadline)");

    /// @notice The token in which rewards are paid, with 6 decimals.
    IERC20 public immutable usdt;

    /// @notice All that was ever settled for an account; never falls.
    mapping(address account => uint256) public settled;
    /// @notice All that an account ever redeemed; never above `settled`.
    mapping(address account => uint256) public claimed;
    /// @notice The sum of `settled` over all accounts.
    uint256 public totalSettled;
    /// @notice The sum of `claimed` over all accounts.
    uint256 public totalClaimed;

    /// @notice The most that one redemption may pay.
    uint256 public redemptionMax = type(uint256).max;
    /// @notice The most that all redemptions of one UTC day may pay together.
    uint256 public dailyRedemptionMax = type(uint256).max;
    /// @notice What was redeemed on each UTC day, counted in days since 1970.
    mapping(uint256 day => uint256) public redeemedOnDay;

    /// @notice What is settled for the account in all, after a batch that named it.
    event RewardSettled(address indexed account, uint256 settledTotal);
    /// @notice The account redeemed an amount with its nonce.
    event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce);
    /// @notice The owner set new limits.
    event RedemptionLimitsChanged(uint256 redemptionMax, uint256 dailyRedemptionMax);

    /// @notice The two lists of a batch differ in length.
    error LengthMismatch(uint256 users, uint256 totals);
    /// @notice Rewards cannot be settled for this account.
    error InvalidAccount(address account);
    /// @notice The contract holds less than what it would owe after this batch.
    error PoolUnderfunded(uint256 balance, uint256 owed);
    /// @notice The signature is past its deadline.
    error SignatureExpired(uint256 deadline);
    /// @notice The signature is not the operator's over exactly this redemption.
    error InvalidSigner(address recovered);
    /// @notice Nothing can be redeemed with an amount of zero.
    error ZeroAmount();
    /// @notice The amount is above what is settled and not yet claimed.
    error AmountExceedsSettled(address account, uint256 amount, uint256 available);
    /// @notice The amount is above what one redemption may pay.
    error RedemptionLimitExceeded(uint256 amount, uint256 limit);
    /// @notice The amount is above what is left of this day's limit.
    error DailyLimitExceeded(uint256 amount, uint256 left);

    /// @param usdtToken the token in which rewards are paid
    /// @param initialOwner configures and pauses
    /// @param initialOperator settles and signs
    /// @param domainName the EIP-712 domain's name, at most 31 bytes
    constructor(
        IERC20 usdtToken,
        address initialOwner,
        address initialOperator,
        string memory domainName
    ) OperatorControlled(initialOwner, initialOperator) EIP712(domainName, "1") {
        usdt = usdtToken;
    }

    /// @notice Raises what is settled for each account to the given total.
    /// @dev Totals are cumulative and a total below the one that stands is passed over, so a batch
    /// that arrives twice, late or out of order changes nothing.
    /// @param users the accounts
    /// @param totals all that was ever earned by each of them, in 10^-6 USDT
    function batchSettleRewards(
        address[] calldata users,
        uint256[] calldata totals
    ) external onlyOperator whenNotPaused {
        if (users.length != totals.length) revert LengthMismatch(users.length, totals.length);
        uint256 raised = 0;
        for (uint256 i = 0; i < users.length; ++i) {
            address account = users[i];
            if (account == address(0) || account == address(this)) revert InvalidAccount(account);
            uint256 standing = settled[account];
            if (totals[i] > standing) {
                raised += totals[i] - standing;
                settled[account] = standing = totals[i];
            }
            emit RewardSettled(account, standing);
        }
        totalSettled += raised;
        uint256 owed = totalSettled - totalClaimed;
        uint256 balance = usdt.balanceOf(address(this));
        if (balance < owed) revert PoolUnderfunded(balance, owed);
    }

    /// @notice Pays an amount of the caller's settled rewards to the caller.
    /// @param amount in 10^-6 USDT
    /// @param deadline the last second, in Unix time, at which the signature is good
    /// @param signature the operator's over (caller, amount, caller's current nonce, deadline)
    function redeemReward(
        uint256 amount,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant whenNotPaused {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (amount == 0) revert ZeroAmount();
        uint256 nonce = _useNonce(msg.sender);
        address signer = ECDSA.recoverCalldata(
            redemptionDigest(msg.sender, amount, nonce, deadline),
            signature
        );
        if (signer != operator) revert InvalidSigner(signer);
        uint256 available = settled[msg.sender] - claimed[msg.sender];
        if (amount > available) revert AmountExceedsSettled(msg.sender, amount, available);
        _countAgainstLimits(amount);
        claimed[msg.sender] += amount;
        totalClaimed += amount;
        emit RewardRedeemed(msg.sender, amount, nonce);
        usdt.safeTransfer(msg.sender, amount);
    }

    /// @notice Sets how much one redemption, and one UTC day, may pay.
    function setRedemptionLimits(uint256 perRedemption, uint256 perDay) external onlyOwner {
        redemptionMax = perRedemption;
        dailyRedemptionMax = perDay;
        emit RedemptionLimitsChanged(perRedemption, perDay);
    }

    /// @notice Pays out what the contract holds beyond all settled and unclaimed rewards.
    function withdrawSurplus(address to, uint256 amount) external onlyOwner nonReentrant {
        uint256 owed = totalSettled - totalClaimed + amount;
        uint256 balance = usdt.balanceOf(address(this));
        if (balance < owed) revert PoolUnderfunded(balance, owed);
        usdt.safeTransfer(to, amount);
    }

    /// @notice The digest that the operator signs for a redemption.
    function redemptionDigest(
        address account,
        uint256 value,
        uint256 nonce,
        uint256 deadline
    ) public view returns (bytes32) {
        return
            _hashTypedDataV4(
                keccak256(abi.encode(REDEEM_REWARD_TYPEHASH, account, value, nonce, deadline))
            );
    }

    function _countAgainstLimits(uint256 amount) private {
        if (amount > redemptionMax) revert RedemptionLimitExceeded(amount, redemptionMax);
        uint256 today = block.timestamp / 1 days;
        uint256 redeemed = redeemedOnDay[today];
        uint256 left = dailyRedemptionMax > redeemed ? dailyRedemptionMax - redeemed : 0;
        if (amount > left) revert DailyLimitExceeded(amount, left);
        redeemedOnDay[today] = redeemed + amount;
    }
}
