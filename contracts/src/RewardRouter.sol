// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Guarded} from "./Guarded.sol";
import {LeakyWindow} from "./LeakyWindow.sol";
import {Predecessor} from "./Predecessor.sol";

/// @notice The state of a router that its successor continues.
interface IRewardRouter {
    /// @notice Everything ever settled for the account.
    function settled(address account) external view returns (uint256);

    /// @notice Everything the account ever redeemed.
    function claimed(address account) external view returns (uint256);

    /// @notice The nonce of the account's next redemption.
    function nonces(address account) external view returns (uint256);

    /// @notice The sum of `claimed` over all accounts.
    function totalClaimed() external view returns (uint256);

    /// @notice The part of the settled sum that is held back; the first version has no holds.
    function held(address account) external view returns (uint256);

    /// @notice The router that this one continues; the first version has none.
    function predecessor() external view returns (address);
}

/// @title Referral rewards: settled by the settler, redeemed by the accounts that earned them
/// @notice The operator's signature only states that the account may redeem now. This contract
/// decides how much can be redeemed: never more than was settled for the account and not yet
/// claimed. A signature over any other amount is worthless. A router may continue another one: its
/// totals and nonces start where those of its predecessor ended, so nothing is ever paid twice.
contract RewardRouter is Guarded, EIP712, ReentrancyGuard {
    using LeakyWindow for LeakyWindow.Use;
    using SafeERC20 for IERC20;

    /// @notice The EIP-712 type that the operator signs.
    bytes32 public constant REDEEM_REWARD_TYPEHASH =
        keccak256("RedeemReward(address account,uint256 value,uint256 nonce,uint256 deadline)");

    /// @notice The token in which rewards are paid, with 6 decimals.
    IERC20 public immutable usdt;
    /// @notice The router that this one continues; zero for none.
    address public immutable predecessor;

    /// @notice The account that settles.
    address public settler;
    /// @notice Receives the whole pool in an emergency.
    address public coldWallet;
    mapping(address account => uint256) private _settled;
    mapping(address account => uint256) private _claimed;
    mapping(address account => uint256) private _nonces;
    /// @notice The part of an account's settled sum that cannot be redeemed for now.
    mapping(address account => uint256) public held;
    /// @notice The sum of `held` over all accounts.
    uint256 public totalHeld;
    uint256 private _raisedHere;
    uint256 private _paidHere;

    /// @notice The maximum that one redemption may pay.
    uint256 public redemptionMax = type(uint256).max;
    /// @notice The maximum by which settlements may raise totals at once; it refills evenly.
    uint128 public settlementMax;
    /// @notice The seconds in which all of `settlementMax` refills.
    uint32 public settlementPeriod;
    LeakyWindow.Use private _settlementUse;

    /// @notice The total settled for the account, after a batch that named it.
    event RewardSettled(address indexed account, uint256 settledTotal);
    /// @notice The account redeemed an amount with its nonce.
    event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce);
    /// @notice The settler's key was replaced.
    event SettlerChanged(address indexed previousSettler, address indexed newSettler);
    /// @notice The cold wallet was replaced.
    event ColdWalletChanged(address indexed previousWallet, address indexed newWallet);
    /// @notice The maximum of one redemption was changed.
    event RedemptionMaxChanged(uint256 previousMax, uint256 newMax);
    /// @notice The limit of settlements was changed.
    event SettlementLimitChanged(
        uint256 previousMax,
        uint256 newMax,
        uint256 previousPeriod,
        uint256 newPeriod
    );
    /// @notice The amount held back of an account's settled sum was changed.
    event HoldChanged(address indexed account, uint256 previousAmount, uint256 newAmount);
    /// @notice Money was sent to the cold wallet.
    event Swept(address indexed token, address indexed to, uint256 amount);
    /// @notice The successor received the pool.
    event PoolMoved(address indexed successor, uint256 amount);

    /// @notice Only the settler may do this.
    error NotSettler(address caller);
    /// @notice Only the cold wallet may do this.
    error NotColdWallet(address caller);
    /// @notice The two lists of a batch differ in length.
    error LengthMismatch(uint256 users, uint256 totals);
    /// @notice Rewards cannot be settled for this account.
    error InvalidAccount(address account);
    /// @notice The contract holds less than it would owe after this batch.
    error PoolUnderfunded(uint256 balance, uint256 owed);
    /// @notice The batch raises totals by more than the rest of the limit.
    error SettlementWindowExceeded(uint256 raised, uint256 left);
    /// @notice The signature is past its deadline.
    error SignatureExpired(uint256 deadline);
    /// @notice The signature is not the operator's over exactly this redemption.
    error InvalidSigner(address recovered);
    /// @notice Nothing can be redeemed with an amount of zero.
    error ZeroAmount();
    /// @notice The amount is above what is settled and not yet claimed.
    error AmountExceedsSettled(address account, uint256 amount, uint256 available);
    /// @notice The amount is above what is settled, not yet claimed and not held back.
    error AmountHeld(address account, uint256 amount, uint256 available);
    /// @notice The amount is above what one redemption may pay.
    error RedemptionLimitExceeded(uint256 amount, uint256 limit);
    /// @notice A guardian may only tighten a limit.
    error NotTighter();
    /// @notice The limit contradicts itself.
    error InvalidLimit();
    /// @notice The pool can only go to a router that continues this one.
    error InvalidSuccessor(address successor);

    /// @param usdtToken the token in which rewards are paid
    /// @param roles the initial holders of the roles; the operator signs redemptions
    /// @param initialSettler settles
    /// @param initialColdWallet may evacuate the pool; zero for none
    /// @param continued the router that this one continues; zero for none
    /// @param domainName the EIP-712 domain's name, at most 31 bytes
    constructor(
        IERC20 usdtToken,
        Roles memory roles,
        address initialSettler,
        address initialColdWallet,
        address continued,
        string memory domainName
    ) Guarded(roles) EIP712(domainName, "1") {
        usdt = usdtToken;
        predecessor = continued;
        _setSettler(initialSettler);
        if (initialColdWallet != address(0)) _setColdWallet(initialColdWallet);
    }

    /// @notice Raises the settled sum of each account to the given total.
    /// @dev Totals are cumulative and a total below the current one is skipped, so a batch that
    /// arrives twice, late or out of order changes nothing. What the predecessor settled counted
    /// against the limit there, and does not count here again.
    /// @param users the accounts
    /// @param totals everything each of them ever earned, in 10^-6 USDT
    function batchSettleRewards(
        address[] calldata users,
        uint256[] calldata totals
    ) external whenActive {
        if (msg.sender != settler) revert NotSettler(msg.sender);
        if (users.length != totals.length) revert LengthMismatch(users.length, totals.length);
        Predecessor.requireEnded(predecessor);
        uint256 raised = 0;
        uint256 counted = 0;
        for (uint256 i = 0; i < users.length; ++i) {
            address account = users[i];
            if (account == address(0) || account == address(this)) revert InvalidAccount(account);
            uint256 standing = settled(account);
            if (totals[i] > standing) {
                raised += totals[i] - standing;
                uint256 inherited = _inherited(account);
                uint256 countedFrom = inherited > standing ? inherited : standing;
                if (totals[i] > countedFrom) counted += totals[i] - countedFrom;
                _settled[account] = standing = totals[i];
            }
            emit RewardSettled(account, standing);
        }
        if (counted > 0) _countSettlement(counted);
        _raisedHere += raised;
        uint256 owed = _owed();
        uint256 balance = usdt.balanceOf(address(this));
        if (balance < owed) revert PoolUnderfunded(balance, owed);
    }

    /// @notice Pays an amount of the caller's settled rewards to the caller.
    /// @param amount in 10^-6 USDT
    /// @param deadline the last second, in Unix time, at which the signature is valid
    /// @param signature the operator's over (caller, amount, caller's current nonce, deadline)
    function redeemReward(
        uint256 amount,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant whenActive {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (amount == 0) revert ZeroAmount();
        uint256 nonce = nonces(msg.sender);
        ++_nonces[msg.sender];
        address signer = ECDSA.recoverCalldata(
            redemptionDigest(msg.sender, amount, nonce, deadline),
            signature
        );
        if (signer != operator) revert InvalidSigner(signer);
        uint256 unclaimed = settled(msg.sender) - claimed(msg.sender);
        if (amount > unclaimed) revert AmountExceedsSettled(msg.sender, amount, unclaimed);
        uint256 available = unclaimed - held[msg.sender];
        if (amount > available) revert AmountHeld(msg.sender, amount, available);
        if (amount > redemptionMax) revert RedemptionLimitExceeded(amount, redemptionMax);
        _claimed[msg.sender] += amount;
        _paidHere += amount;
        emit RewardRedeemed(msg.sender, amount, nonce);
        usdt.safeTransfer(msg.sender, amount);
    }

    /// @notice Sets the amount held back of an account's settled and unclaimed sum; guardians may
    /// only raise it. A retired router's holds are final: its successor counts what they hold back
    /// against its own limit.
    function setHold(address account, uint256 amount) external onlyGuardians {
        if (retired) revert ContractRetired();
        uint256 previous = held[account];
        if (amount < previous && msg.sender != council) revert NotCouncil(msg.sender);
        uint256 unclaimed = settled(account) - claimed(account);
        if (amount > unclaimed) revert AmountExceedsSettled(account, amount, unclaimed);
        totalHeld = totalHeld - previous + amount;
        held[account] = amount;
        emit HoldChanged(account, previous, amount);
    }

    /// @notice Replaces the settler.
    function setSettler(address newSettler) external onlyCouncil {
        _setSettler(newSettler);
    }

    /// @notice Replaces the cold wallet.
    function setColdWallet(address newWallet) external onlyOwner {
        _setColdWallet(newWallet);
    }

    /// @notice Sets the maximum of one redemption.
    function setRedemptionMax(uint256 newMax) external onlyOwner {
        emit RedemptionMaxChanged(redemptionMax, newMax);
        redemptionMax = newMax;
    }

    /// @notice Sets by how much settlements may raise totals at once, and how fast it refills. The
    /// part already used stays used.
    function setSettlementLimit(uint128 newMax, uint32 newPeriod) external onlyOwner {
        if (newPeriod == 0) revert InvalidLimit();
        _setSettlementLimit(newMax, newPeriod);
    }

    /// @notice Lowers the limit of settlements.
    function lowerSettlementLimit(uint128 newMax) external onlyGuardians {
        if (newMax > settlementMax) revert NotTighter();
        _setSettlementLimit(newMax, settlementPeriod);
    }

    /// @notice Pays out what the contract holds beyond everything that can be redeemed.
    function withdrawSurplus(address to, uint256 amount) external onlyOwner nonReentrant {
        uint256 owed = _owed() + amount;
        uint256 balance = usdt.balanceOf(address(this));
        if (balance < owed) revert PoolUnderfunded(balance, owed);
        usdt.safeTransfer(to, amount);
    }

    /// @notice Pays the whole pool to the successor and retires this router.
    function retire(address successor) external onlyOwner nonReentrant {
        if (IRewardRouter(successor).predecessor() != address(this)) {
            revert InvalidSuccessor(successor);
        }
        _retire();
        uint256 pool = usdt.balanceOf(address(this));
        emit PoolMoved(successor, pool);
        usdt.safeTransfer(successor, pool);
    }

    /// @notice Pays the whole pool to the cold wallet, at any time.
    function evacuate() external nonReentrant {
        if (msg.sender != coldWallet) revert NotColdWallet(msg.sender);
        uint256 pool = usdt.balanceOf(address(this));
        emit Swept(address(usdt), coldWallet, pool);
        usdt.safeTransfer(coldWallet, pool);
    }

    /// @notice Everything ever settled for the account, in all routers; never falls.
    function settled(address account) public view returns (uint256) {
        uint256 here = _settled[account];
        uint256 paidBefore = _claimedBefore(account);
        return here > paidBefore ? here : paidBefore;
    }

    /// @notice Everything the account ever redeemed, in all routers; never above `settled`.
    function claimed(address account) public view returns (uint256) {
        return _claimed[account] + _claimedBefore(account);
    }

    /// @notice The nonce of the account's next redemption.
    function nonces(address account) public view returns (uint256) {
        uint256 before = predecessor == address(0)
            ? 0
            : IRewardRouter(predecessor).nonces(account);
        return _nonces[account] + before;
    }

    /// @notice The sum of `settled` over all accounts.
    function totalSettled() external view returns (uint256) {
        return _raisedHere + _totalClaimedBefore();
    }

    /// @notice The sum of `claimed` over all accounts.
    function totalClaimed() external view returns (uint256) {
        return _paidHere + _totalClaimedBefore();
    }

    /// @notice The part of `settlementMax` that is used now.
    function settlementUsed() public view returns (uint256) {
        return _settlementUse.current(settlementMax, settlementPeriod);
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

    function _isHot(address account) internal view override returns (bool) {
        return account == settler || super._isHot(account);
    }

    function _isCold(address account) internal view override returns (bool) {
        return account == coldWallet || super._isCold(account);
    }

    function _owed() private view returns (uint256) {
        return _raisedHere - _paidHere - totalHeld;
    }

    function _claimedBefore(address account) private view returns (uint256) {
        return predecessor == address(0) ? 0 : IRewardRouter(predecessor).claimed(account);
    }

    function _totalClaimedBefore() private view returns (uint256) {
        return predecessor == address(0) ? 0 : IRewardRouter(predecessor).totalClaimed();
    }

    /// @dev What the predecessor had settled and not held; the first version holds nothing.
    function _inherited(address account) private view returns (uint256) {
        if (predecessor == address(0)) return 0;
        uint256 before = IRewardRouter(predecessor).settled(account);
        try IRewardRouter(predecessor).held(account) returns (uint256 heldBefore) {
            return before - heldBefore;
        } catch {
            return before;
        }
    }

    function _countSettlement(uint256 raised) private {
        uint256 used = settlementUsed();
        uint256 left = settlementMax > used ? settlementMax - used : 0;
        if (raised > left) revert SettlementWindowExceeded(raised, left);
        _settlementUse.set(used + raised);
    }

    function _setSettler(address newSettler) private {
        _requireHotCandidate(newSettler);
        emit SettlerChanged(settler, newSettler);
        settler = newSettler;
    }

    function _setColdWallet(address newWallet) private {
        _requireColdCandidate(newWallet);
        emit ColdWalletChanged(coldWallet, newWallet);
        coldWallet = newWallet;
    }

    function _setSettlementLimit(uint128 newMax, uint32 newPeriod) private {
        _settlementUse.set(settlementUsed());
        emit SettlementLimitChanged(settlementMax, newMax, settlementPeriod, newPeriod);
        settlementMax = newMax;
        settlementPeriod = newPeriod;
    }
}
