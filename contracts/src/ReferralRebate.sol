// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {Guarded} from "./Guarded.sol";

/// @notice The values that the public register reads from the reward router.
interface IRewardTotals {
    /// @notice Everything the account ever redeemed.
    function claimed(address account) external view returns (uint256);

    /// @notice The nonce that the account's next redemption uses.
    function nonces(address account) external view returns (uint256);

    /// @notice The router that it continues; the first version does not answer.
    function predecessor() external view returns (address);
}

/// @title The public register of the referral program
/// @notice The referrer and rebate of each trader. The operator mirrors the exchange's records here
/// in batches; every write sets a state, so a batch that arrives twice changes nothing. Claimed
/// totals come from the reward router itself, so they cannot lag behind a redemption.
contract ReferralRebate is Guarded, Multicall {
    /// @notice A rebate: the part of a trading fee that is returned, and the share of that which
    /// goes to the trader as a discount; the rest is the referrer's reward.
    struct Rebate {
        uint16 totalRebateBps;
        uint16 discountShareBps;
    }

    /// @notice A referrer's own rebate, if it differs from that of the tier.
    struct RebateOverride {
        bool isSet;
        uint16 totalRebateBps;
        uint16 discountShareBps;
    }

    /// @notice Tiers run from 0 (Starter) to 4 (Diamond).
    uint8 public constant TIER_COUNT = 5;
    uint16 private constant BPS_ONE = 10_000;

    /// @dev The maximum number of routers followed from a new one to the present one.
    uint256 private constant PREDECESSORS_MAX = 16;

    /// @notice The reward router, which counts the claimed totals.
    IRewardTotals public rewardRouter;

    /// @notice The rebate of each tier.
    Rebate[TIER_COUNT] public tiers;
    /// @notice The referrer who owns a code.
    mapping(bytes32 code => address) public codeOwner;
    /// @notice The code a trader is bound to; zero for none.
    mapping(address trader => bytes32) public traderCode;
    /// @notice The tier of an account as a referrer.
    mapping(address account => uint8) public tierLevel;
    /// @notice The own rebate of a referrer.
    mapping(address referrer => RebateOverride) public rebateOverride;

    /// @notice The claimed totals now come from another router.
    event RewardRouterChanged(address indexed previousRouter, address indexed newRouter);
    /// @notice A tier's rebate was set.
    event TierChanged(uint8 indexed level, Rebate previous, Rebate current);
    /// @notice A code, which nobody had before, was given to a referrer.
    event CodeRegistered(bytes32 indexed code, address indexed owner);
    /// @notice A trader was bound to a code, or unbound if the code is zero.
    event TraderBound(address indexed trader, bytes32 indexed previousCode, bytes32 indexed code);
    /// @notice An account's tier was set.
    event TierLevelChanged(address indexed account, uint8 previousLevel, uint8 level);
    /// @notice A referrer's own rebate was set or, if its `isSet` is false, removed.
    event RebateOverrideChanged(
        address indexed referrer,
        RebateOverride previous,
        RebateOverride current
    );

    /// @notice The router does not continue the present one, so its totals differ.
    error InvalidRouter(address router);
    /// @notice The lists of a batch differ in length.
    error LengthMismatch(uint256 first, uint256 second);
    /// @notice More than 10,000 basis points.
    error InvalidBps(uint256 bps);
    /// @notice There is no such tier.
    error InvalidTier(uint256 level);
    /// @notice The zero code and the zero address identify no account.
    error InvalidCode(bytes32 code, address owner);
    /// @notice The code belongs permanently to another referrer.
    error CodeTaken(bytes32 code, address owner);
    /// @notice This code has no owner.
    error UnknownCode(bytes32 code);
    /// @notice A trader cannot be bound to its own code.
    error SelfReferral(address trader);

    /// @param router the reward router
    /// @param roles the initial holders of the roles; the operator writes
    /// @param initialTiers the rebates of tiers 0 to 4
    constructor(
        IRewardTotals router,
        Roles memory roles,
        Rebate[TIER_COUNT] memory initialTiers
    ) Guarded(roles) {
        rewardRouter = router;
        for (uint8 level = 0; level < TIER_COUNT; ++level) _setTier(level, initialTiers[level]);
    }

    /// @notice Takes the claimed totals from a router that continues the present one.
    function setRewardRouter(IRewardTotals newRouter) external onlyOwner {
        if (!_continues(newRouter)) revert InvalidRouter(address(newRouter));
        emit RewardRouterChanged(address(rewardRouter), address(newRouter));
        rewardRouter = newRouter;
    }

    /// @notice Sets the rebate of a tier.
    function setTier(uint8 level, Rebate calldata rebate) external onlyOperator whenNotPaused {
        if (level >= TIER_COUNT) revert InvalidTier(level);
        _setTier(level, rebate);
    }

    /// @notice Gives codes to their owners; a code never changes hands.
    function registerCodes(
        bytes32[] calldata codes,
        address[] calldata owners
    ) external onlyOperator whenNotPaused {
        _requireSameLength(codes.length, owners.length);
        for (uint256 i = 0; i < codes.length; ++i) {
            if (codes[i] == 0 || owners[i] == address(0)) revert InvalidCode(codes[i], owners[i]);
            address standing = codeOwner[codes[i]];
            if (standing == owners[i]) continue;
            if (standing != address(0)) revert CodeTaken(codes[i], standing);
            codeOwner[codes[i]] = owners[i];
            emit CodeRegistered(codes[i], owners[i]);
        }
    }

    /// @notice Binds traders to codes; the zero code unbinds.
    function bindTraders(
        address[] calldata traders,
        bytes32[] calldata codes
    ) external onlyOperator whenNotPaused {
        _requireSameLength(traders.length, codes.length);
        for (uint256 i = 0; i < traders.length; ++i) {
            bytes32 standing = traderCode[traders[i]];
            if (standing == codes[i]) continue;
            if (codes[i] != 0) {
                address referrer = codeOwner[codes[i]];
                if (referrer == address(0)) revert UnknownCode(codes[i]);
                if (referrer == traders[i]) revert SelfReferral(traders[i]);
            }
            emit TraderBound(traders[i], standing, codes[i]);
            traderCode[traders[i]] = codes[i];
        }
    }

    /// @notice Sets the tiers of accounts.
    function setTierLevels(
        address[] calldata accounts,
        uint8[] calldata levels
    ) external onlyOperator whenNotPaused {
        _requireSameLength(accounts.length, levels.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            if (levels[i] >= TIER_COUNT) revert InvalidTier(levels[i]);
            uint8 standing = tierLevel[accounts[i]];
            if (standing == levels[i]) continue;
            emit TierLevelChanged(accounts[i], standing, levels[i]);
            tierLevel[accounts[i]] = levels[i];
        }
    }

    /// @notice Sets the own rebates of referrers.
    function setRebateOverrides(
        address[] calldata referrers,
        RebateOverride[] calldata overrides
    ) external onlyOperator whenNotPaused {
        _requireSameLength(referrers.length, overrides.length);
        for (uint256 i = 0; i < referrers.length; ++i) {
            RebateOverride calldata entry = overrides[i];
            _requireBps(entry.totalRebateBps);
            _requireBps(entry.discountShareBps);
            emit RebateOverrideChanged(referrers[i], rebateOverride[referrers[i]], entry);
            rebateOverride[referrers[i]] = entry;
        }
    }

    /// @notice All that the account ever redeemed, in 10^-6 USDT.
    function claimed(address account) public view returns (uint256) {
        return rewardRouter.claimed(account);
    }

    /// @notice An account's state in the program, at one block.
    /// @return claimedTotal everything it ever redeemed, in 10^-6 USDT
    /// @return nonce the nonce of its next redemption
    /// @return code the code it is bound to; zero for none
    /// @return referrer the owner of that code; zero for none
    /// @return level its own tier
    function userRebate(
        address account
    )
        external
        view
        returns (
            uint256 claimedTotal,
            uint256 nonce,
            bytes32 code,
            address referrer,
            uint8 level
        )
    {
        claimedTotal = claimed(account);
        nonce = rewardRouter.nonces(account);
        code = traderCode[account];
        referrer = codeOwner[code];
        level = tierLevel[account];
    }

    /// @notice The rebate on a trader's fees; all zero for a trader without a referrer.
    /// @return code the code it is bound to
    /// @return referrer the owner of that code
    /// @return totalRebateBps always the sum of the next two
    /// @return traderDiscountBps the trader's own discount
    /// @return affiliateRewardBps the referrer's reward
    function traderReferral(
        address trader
    )
        external
        view
        returns (
            bytes32 code,
            address referrer,
            uint16 totalRebateBps,
            uint16 traderDiscountBps,
            uint16 affiliateRewardBps
        )
    {
        code = traderCode[trader];
        referrer = codeOwner[code];
        if (referrer != address(0)) {
            Rebate memory rebate = rebateOf(referrer);
            totalRebateBps = rebate.totalRebateBps;
            // Both factors are at most 10,000, so the product fits and the quotient is no more
            // than the total; the reward is the rest, so the parts always add up.
            traderDiscountBps = uint16(
                (uint256(totalRebateBps) * rebate.discountShareBps) / BPS_ONE
            );
            affiliateRewardBps = totalRebateBps - traderDiscountBps;
        }
    }

    /// @notice The rebate that applies to a referrer: its own, otherwise that of its tier.
    function rebateOf(address referrer) public view returns (Rebate memory) {
        RebateOverride storage own = rebateOverride[referrer];
        if (own.isSet) return Rebate(own.totalRebateBps, own.discountShareBps);
        return tiers[tierLevel[referrer]];
    }

    function _continues(IRewardTotals router) private view returns (bool) {
        address next = address(router);
        for (uint256 i = 0; i < PREDECESSORS_MAX && next.code.length > 0; ++i) {
            try IRewardTotals(next).predecessor() returns (address before) {
                next = before;
            } catch {
                return false;
            }
            if (next == address(rewardRouter)) return true;
        }
        return false;
    }

    function _setTier(uint8 level, Rebate memory rebate) private {
        _requireBps(rebate.totalRebateBps);
        _requireBps(rebate.discountShareBps);
        emit TierChanged(level, tiers[level], rebate);
        tiers[level] = rebate;
    }

    function _requireBps(uint256 bps) private pure {
        if (bps > BPS_ONE) revert InvalidBps(bps);
    }

    function _requireSameLength(uint256 first, uint256 second) private pure {
        if (first != second) revert LengthMismatch(first, second);
    }
}
