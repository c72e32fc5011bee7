// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {Guarded} from "../src/Guarded.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {HostileToken} from "./support/HostileToken.sol";
import {RoleBase} from "./support/RoleBase.sol";

contract RewardRouterTest is RoleBase {
    uint256 internal constant POOL = 1_000_000e6;
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant DEADLINE = NOW + 1 hours;

    TestUSDT internal usdt;
    RewardRouter internal router;

    event RewardRedeemed(address indexed account, uint256 amount, uint256 nonce);
    event RewardSettled(address indexed account, uint256 settledTotal);

    function setUp() public {
        vm.warp(NOW);
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        usdt.mint(address(router), POOL);
    }

    function settle(address account, uint256 total) internal {
        settleOn(router, account, total);
    }

    function settleOn(RewardRouter target, address account, uint256 total) internal {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, total);
        vm.prank(settler);
        target.batchSettleRewards(users, totals);
    }

    function signed(address account, uint256 amount) internal view returns (bytes memory) {
        return
            signatureOf(
                OPERATOR_KEY,
                router.redemptionDigest(account, amount, router.nonces(account), DEADLINE)
            );
    }

    function redeem(address account, uint256 amount, bytes memory signature) internal {
        vm.prank(account);
        router.redeemReward(amount, DEADLINE, signature);
    }

    // Settlement

    function testFuzz_batchSentTwiceChangesNothing(uint120 first, uint120 second) public {
        usdt.mint(address(router), 2 ** 129);
        address[] memory users = new address[](2);
        uint256[] memory totals = new uint256[](2);
        (users[0], users[1]) = (alice, bob);
        (totals[0], totals[1]) = (first, second);
        for (uint256 round = 0; round < 2; ++round) {
            vm.prank(settler);
            router.batchSettleRewards(users, totals);
            assertEq(router.settled(alice), first, "settled of the first");
            assertEq(router.settled(bob), second, "settled of the second");
            assertEq(router.totalSettled(), uint256(first) + second, "sum of settled");
        }
    }

    function testFuzz_totalNeverFalls(uint128 high, uint128 low) public {
        vm.assume(low <= high);
        usdt.mint(address(router), 2 ** 128);
        settle(alice, high);
        settle(alice, low);
        assertEq(router.settled(alice), high, "settled");
        assertEq(router.totalSettled(), high, "sum of settled");
    }

    function test_settlementNamesTheStandingTotal() public {
        settle(alice, 7e6);
        vm.expectEmit(true, false, false, true, address(router));
        emit RewardSettled(alice, 7e6);
        settle(alice, 3e6);
    }

    function test_accountTwiceInOneBatchCountsOnce() public {
        address[] memory users = new address[](2);
        uint256[] memory totals = new uint256[](2);
        (users[0], users[1]) = (alice, alice);
        (totals[0], totals[1]) = (5e6, 8e6);
        vm.prank(settler);
        router.batchSettleRewards(users, totals);
        assertEq(router.settled(alice), 8e6, "settled");
        assertEq(router.totalSettled(), 8e6, "sum of settled");
    }

    function test_onlySettlerSettles() public {
        address[] memory users = new address[](0);
        uint256[] memory totals = new uint256[](0);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.NotSettler.selector, address(this))
        );
        router.batchSettleRewards(users, totals);
    }

    function test_listsMustMatch() public {
        vm.prank(settler);
        vm.expectRevert(abi.encodeWithSelector(RewardRouter.LengthMismatch.selector, 1, 0));
        router.batchSettleRewards(new address[](1), new uint256[](0));
    }

    function test_zeroAddressCannotEarn() public {
        vm.prank(settler);
        vm.expectRevert(abi.encodeWithSelector(RewardRouter.InvalidAccount.selector, address(0)));
        router.batchSettleRewards(new address[](1), new uint256[](1));
    }

    function test_settlementAboveThePoolIsRefused() public {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (alice, POOL + 1);
        vm.prank(settler);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.PoolUnderfunded.selector, POOL, POOL + 1)
        );
        router.batchSettleRewards(users, totals);
    }

    // Redemption

    function testFuzz_redemptionPaysExactly(uint256 total, uint256 amount) public {
        total = bound(total, 1, POOL);
        amount = bound(amount, 1, total);
        settle(alice, total);
        bytes memory signature = signed(alice, amount);
        vm.expectEmit(true, false, false, true, address(router));
        emit RewardRedeemed(alice, amount, 0);
        redeem(alice, amount, signature);
        assertEq(usdt.balanceOf(alice), amount, "paid");
        assertEq(router.claimed(alice), amount, "claimed");
        assertEq(router.totalClaimed(), amount, "sum of claimed");
        assertEq(router.nonces(alice), 1, "nonce");
    }

    function testFuzz_amountAboveSettledIsRefused(uint256 total, uint256 excess) public {
        total = bound(total, 0, POOL);
        uint256 amount = total + bound(excess, 1, type(uint128).max);
        settle(alice, total);
        bytes memory signature = signed(alice, amount);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(
                RewardRouter.AmountExceedsSettled.selector,
                alice,
                amount,
                total
            )
        );
        router.redeemReward(amount, DEADLINE, signature);
        assertEq(router.nonces(alice), 0, "a refused redemption leaves the nonce");
    }

    function test_redemptionOnTheLastSecond() public {
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        vm.warp(DEADLINE);
        redeem(alice, 10e6, signature);
        assertEq(usdt.balanceOf(alice), 10e6, "paid");
    }

    function test_expiredSignatureIsRefused() public {
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        vm.warp(DEADLINE + 1);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.SignatureExpired.selector, DEADLINE)
        );
        router.redeemReward(10e6, DEADLINE, signature);
    }

    function test_zeroIsNoRedemption() public {
        bytes memory signature = signed(alice, 0);
        vm.prank(alice);
        vm.expectRevert(RewardRouter.ZeroAmount.selector);
        router.redeemReward(0, DEADLINE, signature);
    }

    // Signatures

    function expectInvalidSigner(address caller, uint256 amount, bytes memory signature) internal {
        vm.prank(caller);
        vm.expectPartialRevert(RewardRouter.InvalidSigner.selector);
        router.redeemReward(amount, DEADLINE, signature);
    }

    function test_signatureWorksOnce() public {
        settle(alice, 20e6);
        bytes memory signature = signed(alice, 10e6);
        redeem(alice, 10e6, signature);
        expectInvalidSigner(alice, 10e6, signature);
    }

    function test_signatureWorksForOneAccount() public {
        settle(alice, 10e6);
        settle(bob, 10e6);
        expectInvalidSigner(bob, 10e6, signed(alice, 10e6));
    }

    function testFuzz_signatureWorksForOneAmountAndDeadline(uint256 amount, uint256 deadline) public {
        amount = bound(amount, 1, 20e6);
        deadline = bound(deadline, NOW, NOW + 365 days);
        vm.assume(amount != 10e6 || deadline != DEADLINE);
        settle(alice, 20e6);
        bytes memory signature = signed(alice, 10e6);
        vm.prank(alice);
        vm.expectPartialRevert(RewardRouter.InvalidSigner.selector);
        router.redeemReward(amount, deadline, signature);
    }

    function test_signatureForTheNextNonceIsRefused() public {
        settle(alice, 10e6);
        bytes memory signature = signatureOf(
            OPERATOR_KEY,
            router.redemptionDigest(alice, 10e6, 1, DEADLINE)
        );
        expectInvalidSigner(alice, 10e6, signature);
    }

    function test_signatureWorksOnOneChain() public {
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        vm.chainId(1);
        expectInvalidSigner(alice, 10e6, signature);
    }

    function test_signatureWorksOnOneContract() public {
        RewardRouter other = newRouter(usdt, address(0));
        usdt.mint(address(other), 10e6);
        settleOn(other, alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        vm.prank(alice);
        vm.expectPartialRevert(RewardRouter.InvalidSigner.selector);
        other.redeemReward(10e6, DEADLINE, signature);
    }

    function test_strangersSignatureIsRefused() public {
        settle(alice, 10e6);
        bytes32 digest = router.redemptionDigest(alice, 10e6, 0, DEADLINE);
        expectInvalidSigner(alice, 10e6, signatureOf(STRANGER_KEY, digest));
    }

    function test_highSIsRefused() public {
        settle(alice, 10e6);
        bytes32 digest = router.redemptionDigest(alice, 10e6, 0, DEADLINE);
        bytes memory signature = highSignatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectPartialRevert(ECDSA.ECDSAInvalidSignatureS.selector);
        router.redeemReward(10e6, DEADLINE, signature);
    }

    function test_compactFormIsRefused() public {
        settle(alice, 10e6);
        bytes32 digest = router.redemptionDigest(alice, 10e6, 0, DEADLINE);
        bytes memory signature = compactSignatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, 64)
        );
        router.redeemReward(10e6, DEADLINE, signature);
    }

    function test_recoveryIdMustBe27Or28() public {
        settle(alice, 10e6);
        bytes32 digest = router.redemptionDigest(alice, 10e6, 0, DEADLINE);
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectRevert(ECDSA.ECDSAInvalidSignature.selector);
        router.redeemReward(10e6, DEADLINE, abi.encodePacked(r, s, v - 27));
    }

    function testFuzz_garbageIsRefused(bytes calldata garbage) public {
        settle(alice, 10e6);
        vm.prank(alice);
        try router.redeemReward(10e6, DEADLINE, garbage) {
            revert("garbage was taken for a signature");
        } catch {
            assertEq(usdt.balanceOf(alice), 0, "paid");
        }
    }

    function test_replacedOperatorSignsNothing() public {
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        vm.prank(council);
        router.setOperator(vm.addr(STRANGER_KEY));
        expectInvalidSigner(alice, 10e6, signature);
    }

    // Limits, pause, ownership

    function test_limitOfOneRedemption() public {
        router.setRedemptionMax(5e6);
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 6e6);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(RewardRouter.RedemptionLimitExceeded.selector, 6e6, 5e6)
        );
        router.redeemReward(6e6, DEADLINE, signature);
    }

    function test_onlyOwnerSetsLimits() public {
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator)
        );
        router.setRedemptionMax(1);
    }

    function test_pauseStopsMoney() public {
        settle(alice, 10e6);
        bytes memory signature = signed(alice, 10e6);
        router.pause();
        vm.prank(alice);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        router.redeemReward(10e6, DEADLINE, signature);
        vm.prank(settler);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        router.batchSettleRewards(new address[](0), new uint256[](0));
        router.unpause();
        redeem(alice, 10e6, signature);
        assertEq(usdt.balanceOf(alice), 10e6, "paid after the pause");
    }

    function testFuzz_surplusIsWhatNobodyIsOwed(uint256 total, uint256 amount) public {
        total = bound(total, 0, POOL);
        settle(alice, total);
        amount = bound(amount, 0, POOL);
        if (amount > POOL - total) {
            vm.expectRevert(
                abi.encodeWithSelector(
                    RewardRouter.PoolUnderfunded.selector,
                    POOL,
                    total + amount
                )
            );
            router.withdrawSurplus(bob, amount);
        } else {
            router.withdrawSurplus(bob, amount);
            assertEq(usdt.balanceOf(bob), amount, "surplus paid");
        }
    }

    // Hostile tokens

    function test_reentrantRedemptionIsRefused() public {
        HostileToken token = new HostileToken();
        RewardRouter target = newRouter(IERC20(address(token)), address(0));
        token.mint(address(target), 100e6);
        // The token itself is the account, so that its call back comes from the account.
        settleOn(target, address(token), 20e6);
        bytes memory inner = signatureOf(
            OPERATOR_KEY,
            target.redemptionDigest(address(token), 10e6, 1, DEADLINE)
        );
        token.callBack(
            address(target),
            abi.encodeCall(RewardRouter.redeemReward, (10e6, DEADLINE, inner))
        );
        bytes memory outer = signatureOf(
            OPERATOR_KEY,
            target.redemptionDigest(address(token), 10e6, 0, DEADLINE)
        );
        vm.prank(address(token));
        target.redeemReward(10e6, DEADLINE, outer);
        assertTrue(!token.callbackSucceeded(), "the inner redemption was refused");
        assertEq(
            bytes32(token.callbackResult()),
            bytes32(ReentrancyGuard.ReentrancyGuardReentrantCall.selector),
            "by the guard"
        );
        assertEq(target.claimed(address(token)), 10e6, "claimed once");
    }

    function test_refusedTransferLeavesTheNonce() public {
        HostileToken token = new HostileToken();
        RewardRouter target = newRouter(IERC20(address(token)), address(0));
        token.mint(address(target), 100e6);
        settleOn(target, alice, 10e6);
        token.freeze(true);
        bytes memory signature = signatureOf(
            OPERATOR_KEY,
            target.redemptionDigest(alice, 10e6, 0, DEADLINE)
        );
        vm.prank(alice);
        vm.expectRevert(HostileToken.Frozen.selector);
        target.redeemReward(10e6, DEADLINE, signature);
        assertEq(target.nonces(alice), 0, "nonce");
        assertEq(target.claimed(alice), 0, "claimed");
    }
}
