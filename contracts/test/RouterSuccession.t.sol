// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Guarded} from "../src/Guarded.sol";
import {Predecessor} from "../src/Predecessor.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {RewardRouterV1} from "../src/version1/RewardRouterV1.sol";
import {HostileToken} from "./support/HostileToken.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Settlement limit, holds and successors. What a router pays is signed for it alone.
contract RouterSuccessionTest is RoleBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant UNIT = 1e6;
    uint256 internal constant POOL = 1_000_000 * UNIT;

    TestUSDT internal usdt;
    RewardRouter internal router;

    event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce);
    event RewardSettled(address indexed account, uint256 settledTotal);
    event HoldChanged(address indexed account, uint256 previousAmount, uint256 newAmount);
    event Swept(address indexed token, address indexed to, uint256 amount);
    event PoolMoved(address indexed successor, uint256 amount);
    event RedemptionMaxChanged(uint256 previousMax, uint256 newMax);
    event SettlementLimitChanged(
        uint256 previousMax,
        uint256 newMax,
        uint256 previousPeriod,
        uint256 newPeriod
    );

    function setUp() public {
        vm.warp(NOW);
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        usdt.mint(address(router), POOL);
    }

    function settleOn(RewardRouter target, address account, uint256 whole) internal {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, whole * UNIT);
        vm.prank(settler);
        target.batchSettleRewards(users, totals);
    }

    function settle(address account, uint256 whole) internal {
        settleOn(router, account, whole);
    }

    function signed(address account, uint256 amount) internal view returns (bytes memory) {
        bytes32 digest = router.redemptionDigest(
            account,
            amount,
            router.nonces(account),
            block.timestamp
        );
        return signatureOf(OPERATOR_KEY, digest);
    }

    function redeem(address account, uint256 whole) internal {
        bytes memory signature = signed(account, whole * UNIT);
        vm.prank(account);
        router.redeemReward(whole * UNIT, block.timestamp, signature);
    }

    function expectWindowExceeded(address account, uint256 whole, uint256 raised, uint256 left) internal {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, whole * UNIT);
        vm.prank(settler);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.SettlementWindowExceeded.selector, raised, left)
        );
        router.batchSettleRewards(users, totals);
    }

    function succeed() internal returns (RewardRouter before) {
        before = router;
        router = newRouter(usdt, address(before));
        before.pause();
        before.retire(address(router));
    }

    // The settlement limit

    function test_aNewRouterSettlesNothingBeforeItHasALimit() public {
        router = new RewardRouter(
            usdt,
            roles(operator),
            settler,
            address(0),
            address(0),
            "ReferralRewardRouter"
        );
        usdt.mint(address(router), POOL);
        expectWindowExceeded(alice, 1, UNIT, 0);
        assertEq(router.coldWallet(), address(0), "no cold wallet");
    }

    function test_theSmallestAmountCountsAgainstTheLimit() public {
        router.setSettlementLimit(0, 1 days);
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (alice, 1);
        vm.prank(settler);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.SettlementWindowExceeded.selector, 1, 0)
        );
        router.batchSettleRewards(users, totals);
    }

    function test_settlementsRaiseNoMoreThanTheLimit() public {
        router.setSettlementLimit(uint128(100 * UNIT), 1 days);
        settle(alice, 60);
        expectWindowExceeded(bob, 41, 41 * UNIT, 40 * UNIT);
        settle(bob, 40);
        assertEq(router.settlementUsed(), 100 * UNIT, "used");
        // A batch that raises nothing needs no room.
        settle(bob, 40);
        expectWindowExceeded(bob, 41, UNIT, 0);
        vm.warp(NOW + 6 hours);
        assertEq(router.settlementUsed(), 75 * UNIT, "a quarter came back");
        settle(bob, 65);
        expectWindowExceeded(bob, 66, UNIT, 0);
    }

    function test_theLimitIsLoosenedByTheOwnerAndTightenedByGuardians() public {
        vm.expectRevert(RewardRouter.InvalidLimit.selector);
        router.setSettlementLimit(1, 0);
        vm.expectEmit(false, false, false, true, address(router));
        emit SettlementLimitChanged(type(uint128).max, 100 * UNIT, 1 days, 2 days);
        router.setSettlementLimit(uint128(100 * UNIT), 2 days);
        settle(alice, 100);
        vm.warp(NOW + 1 days);
        vm.startPrank(guardian);
        vm.expectRevert(RewardRouter.NotTighter.selector);
        router.lowerSettlementLimit(uint128(100 * UNIT + 1));
        router.lowerSettlementLimit(uint128(100 * UNIT));
        router.lowerSettlementLimit(uint128(10 * UNIT));
        vm.stopPrank();
        assertEq(router.settlementMax(), 10 * UNIT, "limit");
        assertEq(router.settlementPeriod(), 2 days, "period");
        assertEq(router.settlementUsed(), 50 * UNIT, "what is used stays used");
        expectWindowExceeded(alice, 101, UNIT, 0);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotGuardian.selector, bob));
        router.lowerSettlementLimit(0);
    }

    function test_redemptionMaxIsTheOwnersBrake() public {
        vm.expectEmit(false, false, false, true, address(router));
        emit RedemptionMaxChanged(type(uint256).max, 5 * UNIT);
        router.setRedemptionMax(5 * UNIT);
        settle(alice, 5);
        redeem(alice, 5);
        assertEq(usdt.balanceOf(alice), 5 * UNIT, "the limit itself is paid");
    }

    // Holds

    function test_whatIsHeldIsNotPaid() public {
        settle(alice, 10);
        vm.expectEmit(true, false, false, true, address(router));
        emit HoldChanged(alice, 0, 6 * UNIT);
        vm.prank(guardian);
        router.setHold(alice, 6 * UNIT);
        bytes memory signature = signed(alice, 5 * UNIT);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.AmountHeld.selector, alice, 5 * UNIT, 4 * UNIT)
        );
        router.redeemReward(5 * UNIT, NOW, signature);
        // The cap shows first.
        signature = signed(alice, 11 * UNIT);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                RewardRouter.AmountExceedsSettled.selector,
                alice,
                11 * UNIT,
                10 * UNIT
            )
        );
        router.redeemReward(11 * UNIT, NOW, signature);
        redeem(alice, 4);
        settle(alice, 10);
        assertEq(router.totalHeld(), 6 * UNIT, "held");
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotCouncil.selector, guardian));
        router.setHold(alice, 5 * UNIT);
        vm.prank(council);
        router.setHold(alice, 2 * UNIT);
        assertEq(router.totalHeld(), 2 * UNIT, "held");
        redeem(alice, 4);
        vm.prank(guardian);
        router.setHold(alice, 2 * UNIT);
        assertEq(router.held(alice), 2 * UNIT, "held");
    }

    function test_noMoreIsHeldThanCanBeClaimed() public {
        settle(alice, 10);
        redeem(alice, 3);
        vm.prank(guardian);
        vm.expectRevert(
            abi.encodeWithSelector(
                RewardRouter.AmountExceedsSettled.selector,
                alice,
                7 * UNIT + 1,
                7 * UNIT
            )
        );
        router.setHold(alice, 7 * UNIT + 1);
        vm.prank(guardian);
        router.setHold(alice, 7 * UNIT);
        vm.prank(bob);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotGuardian.selector, bob));
        router.setHold(alice, 0);
    }

    function test_heldAmountsAreSurplus() public {
        settle(alice, 10);
        vm.prank(guardian);
        router.setHold(alice, 6 * UNIT);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.PoolUnderfunded.selector, POOL, POOL + 1)
        );
        router.withdrawSurplus(bob, POOL - 4 * UNIT + 1);
        router.withdrawSurplus(bob, POOL - 4 * UNIT);
        redeem(alice, 4);
        assertEq(usdt.balanceOf(address(router)), 0, "pool");
    }

    // Cold wallet

    function test_theColdWalletEvacuatesThePoolAtAnyTime() public {
        settle(alice, 10);
        router.pause();
        vm.prank(council);
        vm.expectRevert(abi.encodeWithSelector(RewardRouter.NotColdWallet.selector, council));
        router.evacuate();
        vm.expectEmit(true, true, false, true, address(router));
        emit Swept(address(usdt), cold, POOL);
        vm.prank(cold);
        router.evacuate();
        assertEq(usdt.balanceOf(cold), POOL, "evacuated");
    }

    // Successors

    function test_aSuccessorPaysOnlyWhatWasNeverRedeemed() public {
        settle(alice, 10);
        redeem(alice, 4);
        settle(bob, 7);
        RewardRouter before = succeed();
        assertEq(router.predecessor(), address(before), "predecessor");
        assertEq(usdt.balanceOf(address(router)), POOL - 4 * UNIT, "the pool came along");
        assertEq(usdt.balanceOf(address(before)), 0, "nothing stayed");
        assertEq(router.claimed(alice), 4 * UNIT, "claimed goes on");
        assertEq(router.settled(alice), 4 * UNIT, "settled begins with what was paid");
        assertEq(router.nonces(alice), 1, "nonces go on");
        assertEq(router.totalClaimed(), 4 * UNIT, "sum of claimed");
        assertEq(router.totalSettled(), 4 * UNIT, "sum of settled");
        settle(alice, 10);
        settle(bob, 7);
        assertEq(router.totalSettled(), 17 * UNIT, "sum of settled");
        vm.expectEmit(true, false, false, true, address(router));
        emit RewardRedeemed(alice, 6 * UNIT, 1);
        redeem(alice, 6);
        assertEq(usdt.balanceOf(alice), 10 * UNIT, "paid in both, once");
        assertEq(router.claimed(alice), 10 * UNIT, "claimed");
        assertEq(router.totalClaimed(), 10 * UNIT, "sum of claimed");
        assertEq(router.nonces(alice), 2, "next nonce");
        redeem(bob, 7);
        router.withdrawSurplus(cold, POOL - 17 * UNIT);
        assertEq(usdt.balanceOf(address(router)), 0, "nothing is owed");
    }

    function test_theThirdRouterContinuesTheSecond() public {
        settle(alice, 10);
        redeem(alice, 4);
        succeed();
        settle(alice, 12);
        redeem(alice, 5);
        succeed();
        assertEq(router.claimed(alice), 9 * UNIT, "claimed in both");
        assertEq(router.nonces(alice), 2, "nonces of both");
        settle(alice, 12);
        redeem(alice, 3);
        assertEq(usdt.balanceOf(alice), 12 * UNIT, "paid in three, once");
        assertEq(router.totalClaimed(), 12 * UNIT, "sum of claimed");
    }

    function test_holdsOfARetiredRouterAreFinal() public {
        settle(alice, 10);
        vm.prank(guardian);
        router.setHold(alice, 6 * UNIT);
        RewardRouter before = router;
        succeed();
        address[2] memory guards = [guardian, council];
        for (uint256 i = 0; i < 2; ++i) {
            vm.prank(guards[i]);
            vm.expectRevert(Guarded.ContractRetired.selector);
            before.setHold(alice, i == 0 ? 7 * UNIT : 0);
        }
        assertEq(before.held(alice), 6 * UNIT, "held");
    }

    function test_whatThePredecessorSettledDoesNotCountAgain() public {
        settle(alice, 100);
        redeem(alice, 20);
        vm.prank(guardian);
        router.setHold(alice, 30 * UNIT);
        succeed();
        router.setSettlementLimit(uint128(5 * UNIT), 1 days);
        // 70 were settled and free there; the 30 that were held count, as they never passed.
        expectWindowExceeded(alice, 76, 6 * UNIT, 5 * UNIT);
        settle(alice, 50);
        assertEq(router.settlementUsed(), 0, "nothing is used");
        settle(alice, 70);
        assertEq(router.settlementUsed(), 0, "nothing is used");
        settle(alice, 75);
        assertEq(router.settlementUsed(), 5 * UNIT, "what is new is used");
        expectWindowExceeded(alice, 76, UNIT, 0);
    }

    function test_aSuccessorSettlesNothingWhileItsPredecessorWorks() public {
        RewardRouter next = newRouter(usdt, address(router));
        usdt.mint(address(next), POOL);
        bytes memory refusal = abi.encodeWithSelector(
            Predecessor.PredecessorActive.selector,
            address(router)
        );
        vm.prank(settler);
        vm.expectRevert(refusal);
        next.batchSettleRewards(new address[](0), new uint256[](0));
        router.pause();
        vm.prank(settler);
        vm.expectRevert(refusal);
        next.batchSettleRewards(new address[](0), new uint256[](0));
        vm.expectEmit(true, false, false, true, address(router));
        emit PoolMoved(address(next), POOL);
        router.retire(address(next));
        settleOn(next, alice, 1);
        assertEq(next.settled(alice), UNIT, "settled");
    }

    function test_aRetiredRouterDoesNothing() public {
        settle(alice, 10);
        bytes memory signature = signed(alice, 10 * UNIT);
        RewardRouter before = succeed();
        vm.prank(alice);
        vm.expectRevert(Guarded.ContractRetired.selector);
        before.redeemReward(10 * UNIT, NOW, signature);
        vm.prank(settler);
        vm.expectRevert(Guarded.ContractRetired.selector);
        before.batchSettleRewards(new address[](0), new uint256[](0));
        settle(alice, 10);
        vm.prank(alice);
        vm.expectPartialRevert(RewardRouter.InvalidSigner.selector);
        router.redeemReward(10 * UNIT, NOW, signature);
    }

    function test_thePoolGoesToASuccessorOnlyAndOnce() public {
        RewardRouter stranger = newRouter(usdt, address(0));
        RewardRouter next = newRouter(usdt, address(router));
        router.pause();
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.InvalidSuccessor.selector, address(stranger))
        );
        router.retire(address(stranger));
        router.unpause();
        vm.expectRevert(Pausable.ExpectedPause.selector);
        router.retire(address(next));
        router.pause();
        router.retire(address(next));
        vm.expectRevert(Guarded.ContractRetired.selector);
        router.retire(address(next));
    }

    function test_theFirstVersionIsContinued() public {
        RewardRouterV1 first = new RewardRouterV1(
            usdt,
            address(this),
            operator,
            "ReferralRewardRouter"
        );
        usdt.mint(address(first), POOL);
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (alice, 10 * UNIT);
        vm.prank(operator);
        first.batchSettleRewards(users, totals);
        bytes32 digest = first.redemptionDigest(alice, 4 * UNIT, 0, NOW);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        first.redeemReward(4 * UNIT, NOW, signature);
        router = newRouter(usdt, address(first));
        usdt.mint(address(router), POOL);
        router.setSettlementLimit(uint128(2 * UNIT), 1 days);
        first.pause();
        vm.prank(settler);
        vm.expectRevert(
            abi.encodeWithSelector(Predecessor.PredecessorActive.selector, address(first))
        );
        router.batchSettleRewards(users, totals);
        first.renounceOwnership();
        settle(alice, 12);
        assertEq(router.settlementUsed(), 2 * UNIT, "only what is new");
        redeem(alice, 8);
        assertEq(usdt.balanceOf(alice), 12 * UNIT, "paid in both, once");
        assertEq(router.nonces(alice), 2, "nonces go on");
    }

    // Hostile tokens

    function test_noDoorOpensDuringATransfer() public {
        HostileToken token = new HostileToken();
        RewardRouter target = newRouter(token, address(0));
        token.mint(address(target), 100);
        target.transferOwnership(address(token));
        vm.prank(address(token));
        target.acceptOwnership();
        token.callBack(address(target), abi.encodeCall(RewardRouter.withdrawSurplus, (bob, 1)));
        vm.prank(address(token));
        target.withdrawSurplus(bob, 1);
        assertTrue(!token.callbackSucceeded(), "refused during a withdrawal");
        token.callBack(address(target), abi.encodeCall(RewardRouter.withdrawSurplus, (bob, 1)));
        vm.prank(cold);
        target.evacuate();
        assertTrue(!token.callbackSucceeded(), "refused during an evacuation");
        token.mint(address(target), 100);
        RewardRouter next = newRouter(token, address(target));
        vm.prank(address(token));
        target.pause();
        token.callBack(address(target), abi.encodeCall(RewardRouter.withdrawSurplus, (bob, 1)));
        vm.prank(address(token));
        target.retire(address(next));
        assertTrue(!token.callbackSucceeded(), "refused while the pool moves");
        assertEq(token.balanceOf(address(next)), 100, "the whole pool moved");
    }

    /// @dev The digest as a wallet makes it, from the words of the type.
    function test_theDigestIsThatOfTheTypedData() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("ReferralRewardRouter"),
                keccak256("1"),
                block.chainid,
                address(router)
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "RedeemReward(address account,uint256 value,uint256 nonce,uint256 deadline)"
                ),
                alice,
                uint256(7),
                uint256(8),
                uint256(9)
            )
        );
        assertEq(
            router.redemptionDigest(alice, 7, 8, 9),
            keccak256(abi.encodePacked(hex"1901", domain, message)),
            "digest"
        );
    }

    function test_whatWasRedeemedIsNotThereAnyMore() public {
        settle(alice, 10);
        bytes memory signature = signed(alice, 4 * UNIT);
        vm.prank(alice);
        router.redeemReward(4 * UNIT, block.timestamp, signature);
        signature = signed(alice, 7 * UNIT);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                RewardRouter.AmountExceedsSettled.selector,
                alice,
                7 * UNIT,
                6 * UNIT
            )
        );
        router.redeemReward(7 * UNIT, block.timestamp, signature);
    }
}
