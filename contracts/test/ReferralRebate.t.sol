// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Guarded} from "../src/Guarded.sol";
import {IRewardTotals, ReferralRebate} from "../src/ReferralRebate.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {RoleBase} from "./support/RoleBase.sol";

contract ReferralRebateTest is RoleBase {
    bytes32 internal constant CODE = "ALICE";
    TestUSDT internal usdt;
    RewardRouter internal router;
    ReferralRebate internal register;

    function setUp() public {
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        ReferralRebate.Rebate[5] memory tiers;
        for (uint16 level = 0; level < 5; ++level) {
            tiers[level] = ReferralRebate.Rebate(1_000 + 500 * level, 2_000);
        }
        register = new ReferralRebate(
            IRewardTotals(address(router)),
            roles(operator),
            tiers
        );
    }

    function one(address entry) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = entry;
    }

    function one(bytes32 entry) internal pure returns (bytes32[] memory list) {
        list = new bytes32[](1);
        list[0] = entry;
    }

    function registerAndBind() internal {
        vm.prank(operator);
        register.registerCodes(one(CODE), one(alice));
        vm.prank(operator);
        register.bindTraders(one(bob), one(CODE));
    }

    function setTierLevel(address account, uint8 level) internal {
        uint8[] memory levels = new uint8[](1);
        levels[0] = level;
        vm.prank(operator);
        register.setTierLevels(one(account), levels);
    }

    function setOverride(address account, ReferralRebate.RebateOverride memory entry) internal {
        ReferralRebate.RebateOverride[] memory list = new ReferralRebate.RebateOverride[](1);
        list[0] = entry;
        vm.prank(operator);
        register.setRebateOverrides(one(account), list);
    }

    function testFuzz_unknownAccountsAreEmpty(address account) public view {
        (uint256 total, uint256 nonce, bytes32 code, address referrer, uint8 level) = register
            .userRebate(account);
        assertEq(total + nonce + level, 0, "numbers");
        assertEq(code, bytes32(0), "code");
        assertEq(referrer, address(0), "referrer");
        (
            bytes32 traderCode,
            address traderReferrer,
            uint16 totalBps,
            uint16 discountBps,
            uint16 rewardBps
        ) = register.traderReferral(account);
        assertEq(traderCode, bytes32(0), "code");
        assertEq(traderReferrer, address(0), "referrer");
        assertEq(uint256(totalBps) + discountBps + rewardBps, 0, "basis points");
    }

    function testFuzz_partsAddUpToTheWhole(uint16 totalBps, uint16 shareBps) public {
        totalBps = uint16(bound(totalBps, 0, 10_000));
        shareBps = uint16(bound(shareBps, 0, 10_000));
        registerAndBind();
        setOverride(alice, ReferralRebate.RebateOverride(true, totalBps, shareBps));
        (bytes32 code, address referrer, uint16 total, uint16 discount, uint16 reward) = register
            .traderReferral(bob);
        assertEq(code, CODE, "code");
        assertEq(referrer, alice, "referrer");
        assertEq(total, totalBps, "total");
        assertEq(uint256(discount) + reward, total, "discount + reward");
        assertEq(discount, (uint256(totalBps) * shareBps) / 10_000, "discount, rounded down");
    }

    function test_tierDecidesUntilAnOverrideDoes() public {
        registerAndBind();
        (, , uint16 total, uint16 discount, uint16 reward) = register.traderReferral(bob);
        assertEq(total, 1_000, "Starter");
        assertEq(discount, 200, "a fifth to the trader");
        assertEq(reward, 800, "the rest to the referrer");
        setTierLevel(alice, 4);
        (, , total, , ) = register.traderReferral(bob);
        assertEq(total, 3_000, "Diamond");
        setOverride(alice, ReferralRebate.RebateOverride(true, 1_234, 0));
        (, , total, discount, reward) = register.traderReferral(bob);
        assertEq(total, 1_234, "own rebate");
        assertEq(discount, 0, "no discount");
        setOverride(alice, ReferralRebate.RebateOverride(false, 0, 0));
        (, , total, , ) = register.traderReferral(bob);
        assertEq(total, 3_000, "Diamond again");
    }

    function test_claimedTotalComesFromTheRouter() public {
        usdt.mint(address(router), 10e6);
        uint256[] memory totals = new uint256[](1);
        totals[0] = 10e6;
        vm.prank(settler);
        router.batchSettleRewards(one(bob), totals);
        bytes32 digest = router.redemptionDigest(bob, 7e6, 0, block.timestamp);
        vm.prank(bob);
        router.redeemReward(7e6, block.timestamp, signatureOf(OPERATOR_KEY, digest));
        registerAndBind();
        setTierLevel(bob, 2);
        (uint256 total, uint256 nonce, bytes32 code, address referrer, uint8 level) = register
            .userRebate(bob);
        assertEq(total, 7e6, "claimed");
        assertEq(register.claimed(bob), 7e6, "claimed");
        assertEq(nonce, 1, "nonce");
        assertEq(code, CODE, "code");
        assertEq(referrer, alice, "referrer");
        assertEq(level, 2, "tier");
    }

    function test_writesTwiceChangeNothing() public {
        registerAndBind();
        registerAndBind();
        assertEq(register.codeOwner(CODE), alice, "owner");
        assertEq(register.traderCode(bob), CODE, "code");
        vm.prank(operator);
        register.bindTraders(one(bob), one(bytes32(0)));
        (, address referrer, uint16 total, , ) = register.traderReferral(bob);
        assertEq(referrer, address(0), "unbound");
        assertEq(total, 0, "unbound");
    }

    function test_manyWritesInOneTransaction() public {
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ReferralRebate.registerCodes, (one(CODE), one(alice)));
        calls[1] = abi.encodeCall(ReferralRebate.bindTraders, (one(bob), one(CODE)));
        vm.prank(operator);
        register.multicall(calls);
        assertEq(register.traderCode(bob), CODE, "code");
        vm.expectRevert(
            abi.encodeWithSelector(Guarded.NotOperator.selector, address(this))
        );
        register.multicall(calls);
    }

    function test_codeNeverChangesHands() public {
        registerAndBind();
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.CodeTaken.selector, CODE, alice));
        register.registerCodes(one(CODE), one(bob));
    }

    function test_senselessWritesAreRefused() public {
        registerAndBind();
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.UnknownCode.selector, bytes32("X")));
        register.bindTraders(one(bob), one(bytes32("X")));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.SelfReferral.selector, alice));
        register.bindTraders(one(alice), one(CODE));
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(ReferralRebate.InvalidCode.selector, bytes32(0), alice)
        );
        register.registerCodes(one(bytes32(0)), one(alice));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.LengthMismatch.selector, 1, 0));
        register.registerCodes(one(CODE), new address[](0));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.InvalidTier.selector, 5));
        register.setTier(5, ReferralRebate.Rebate(1, 1));
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.InvalidBps.selector, 10_001));
        register.setTier(0, ReferralRebate.Rebate(10_001, 0));
        uint8[] memory levels = new uint8[](1);
        levels[0] = 5;
        vm.prank(operator);
        vm.expectRevert(abi.encodeWithSelector(ReferralRebate.InvalidTier.selector, 5));
        register.setTierLevels(one(alice), levels);
    }

    function test_onlyOperatorWrites() public {
        bytes memory refusal = abi.encodeWithSelector(
            Guarded.NotOperator.selector,
            address(this)
        );
        vm.expectRevert(refusal);
        register.registerCodes(one(CODE), one(alice));
        vm.expectRevert(refusal);
        register.bindTraders(one(bob), one(CODE));
        vm.expectRevert(refusal);
        register.setTier(0, ReferralRebate.Rebate(1, 1));
        vm.expectRevert(refusal);
        register.setTierLevels(one(alice), new uint8[](1));
        vm.expectRevert(refusal);
        register.setRebateOverrides(one(alice), new ReferralRebate.RebateOverride[](1));
    }

    function test_pauseStopsWrites() public {
        register.pause();
        vm.prank(operator);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        register.registerCodes(one(CODE), one(alice));
    }

    // Routers

    event RewardRouterChanged(address indexed previousRouter, address indexed newRouter);

    function expectInvalidRouter(address candidate) internal {
        vm.expectRevert(
            abi.encodeWithSelector(ReferralRebate.InvalidRouter.selector, candidate)
        );
        register.setRewardRouter(IRewardTotals(candidate));
    }

    function test_onlyARouterThatContinuesThePresentOneIsTaken() public {
        RewardRouter second = newRouter(usdt, address(router));
        RewardRouter third = newRouter(usdt, address(second));
        expectInvalidRouter(address(router));
        expectInvalidRouter(address(newRouter(usdt, address(0))));
        expectInvalidRouter(address(usdt));
        expectInvalidRouter(alice);
        vm.expectEmit(true, true, false, true, address(register));
        emit RewardRouterChanged(address(router), address(third));
        register.setRewardRouter(IRewardTotals(address(third)));
        assertEq(address(register.rewardRouter()), address(third), "router");
        expectInvalidRouter(address(second));
        vm.prank(operator);
        vm.expectPartialRevert(bytes4(keccak256("OwnableUnauthorizedAccount(address)")));
        register.setRewardRouter(IRewardTotals(address(third)));
    }

    function test_aLineOfRoutersIsFollowedSixteenSteps() public {
        RewardRouter next = router;
        for (uint256 i = 0; i < 17; ++i) next = newRouter(usdt, address(next));
        expectInvalidRouter(address(next));
        register.setRewardRouter(IRewardTotals(next.predecessor()));
        register.setRewardRouter(IRewardTotals(address(next)));
    }
}
