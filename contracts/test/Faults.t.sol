// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Guarded} from "../src/Guarded.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {Timelock} from "../src/Timelock.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Faults of keys and programs, and how each ends, with a timelock as the owner.
contract FaultsTest is RoleBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant UNIT = 1e6;
    uint256 internal constant DELAY = 2 days;

    TestUSDT internal usdt;
    RewardRouter internal router;
    SpotVault internal vault;
    Timelock internal timelock;

    function setUp() public {
        vm.warp(NOW);
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vault = newVault(tokens, address(0));
        vault.setLimit(address(usdt), bounded(UNIT));
        router.setSettlementLimit(uint128(100 * UNIT), 1 days);
        usdt.mint(address(router), 1_000 * UNIT);
        usdt.mint(address(this), 400 * UNIT);
        usdt.approve(address(vault), 400 * UNIT);
        vault.refill(address(usdt), 400 * UNIT);
        address[] memory proposers = new address[](2);
        (proposers[0], proposers[1]) = (council, cold);
        timelock = new Timelock(DELAY, proposers, new address[](1));
        router.transferOwnership(address(timelock));
        vault.transferOwnership(address(timelock));
        vm.startPrank(address(timelock));
        router.acceptOwnership();
        vault.acceptOwnership();
        vm.stopPrank();
    }

    function settle(address account, uint256 total) internal {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, total);
        vm.prank(settler);
        router.batchSettleRewards(users, totals);
    }

    function redeem(address account, uint256 amount, bytes4 refusal) internal {
        uint256 nonce = router.nonces(account);
        bytes memory signature = signatureOf(
            OPERATOR_KEY,
            router.redemptionDigest(account, amount, nonce, block.timestamp)
        );
        if (refusal != 0) vm.expectPartialRevert(refusal);
        vm.prank(account);
        router.redeemReward(amount, block.timestamp, signature);
    }

    function propose(address proposer, address target, bytes memory data) internal {
        vm.prank(proposer);
        timelock.schedule(target, 0, data, 0, 0, DELAY);
    }

    function execute(address target, bytes memory data) internal {
        vm.prank(bob);
        timelock.execute(target, 0, data, 0, 0);
    }

    function test_fault33_anOverSettlementIsAtMostTheLimitAndHeld() public {
        vm.expectPartialRevert(RewardRouter.SettlementWindowExceeded.selector);
        settle(alice, 101 * UNIT);
        settle(alice, 100 * UNIT);
        vm.prank(guardian);
        router.setHold(alice, 90 * UNIT);
        redeem(alice, 11 * UNIT, RewardRouter.AmountHeld.selector);
        settle(alice, 100 * UNIT);
        settle(alice, 10 * UNIT);
        assertEq(router.settled(alice), 100 * UNIT, "a replay changes nothing");
        redeem(alice, 11 * UNIT, RewardRouter.AmountHeld.selector);
        redeem(alice, 10 * UNIT, 0);
        assertEq(usdt.balanceOf(alice), 10 * UNIT, "what was earned");
    }

    function test_fault34_renouncingReverts() public {
        vm.prank(guardian);
        vault.pause();
        bytes memory data = abi.encodeCall(vault.renounceOwnership, ());
        propose(council, address(vault), data);
        vm.warp(NOW + DELAY);
        vm.expectRevert(Guarded.RenounceDisabled.selector);
        timelock.execute(address(vault), 0, data, 0, 0);
        assertEq(vault.owner(), address(timelock), "owner");
    }

    function test_fault34_aRaisedLimitIsSeenAndCancelled() public {
        bytes memory data = abi.encodeCall(vault.setLimit, (address(usdt), unlimited()));
        address[2] memory cancellers = [council, cold];
        for (uint256 i = 0; i < 2; ++i) {
            propose(council, address(vault), data);
            bytes32 id = timelock.hashOperation(address(vault), 0, data, 0, 0);
            vm.warp(block.timestamp + DELAY - 1);
            assertTrue(!timelock.isOperationReady(id), "not before 48 hours");
            vm.prank(cancellers[i]);
            timelock.cancel(id);
            vm.warp(block.timestamp + 1);
            vm.expectPartialRevert(
                bytes4(keccak256("TimelockUnexpectedOperationState(bytes32,bytes32)"))
            );
            timelock.execute(address(vault), 0, data, 0, 0);
        }
        assertEq(vault.limits(address(usdt)).windowMax, 100 * UNIT, "limit");
        vm.prank(council);
        vm.expectPartialRevert(bytes4(keccak256("OwnableUnauthorizedAccount(address)")));
        vault.setLimit(address(usdt), unlimited());
    }

    function test_fault34_theColdWalletNamesACouncilWhoseKeysAreNotLost() public {
        address next = address(0xC0C2);
        bytes memory data = abi.encodeCall(vault.setCouncil, (next));
        propose(cold, address(vault), data);
        vm.warp(NOW + DELAY);
        execute(address(vault), data);
        assertEq(vault.council(), next, "council");
        vm.prank(next);
        vault.setOperator(address(0x0123));
        vm.prank(council);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotCouncil.selector, council));
        vault.setOperator(operator);
    }

    function release(uint256 amount) internal {
        uint256 nonce = vault.releaseNonce(alice);
        bytes memory signature = signatureOf(
            OPERATOR_KEY,
            vault.releaseDigest(alice, address(usdt), amount, nonce, block.timestamp)
        );
        vm.prank(alice);
        vault.release(address(usdt), amount, nonce, block.timestamp, signature);
    }

    function test_fault35_theColdWalletEvacuatesFromATakenCouncil() public {
        release(50 * UNIT);
        assertTrue(vault.isQueued(1), "queued");
        vm.startPrank(council);
        vault.setOperator(address(0xBAD1));
        router.setSettler(address(0xBAD2));
        vm.expectPartialRevert(bytes4(keccak256("OwnableUnauthorizedAccount(address)")));
        vault.setColdWallet(council);
        vm.stopPrank();
        vm.startPrank(cold);
        vault.evacuate(address(usdt));
        router.evacuate();
        vm.stopPrank();
        assertEq(usdt.balanceOf(cold), 1_400 * UNIT, "all of vault and router");
        vm.warp(NOW + 1 days);
        vm.expectPartialRevert(SpotVault.NotFunded.selector);
        vault.payQueued(1);
        vm.startPrank(cold);
        usdt.approve(address(vault), 50 * UNIT);
        vault.refill(address(usdt), 50 * UNIT);
        vm.stopPrank();
        vault.payQueued(1);
        assertEq(usdt.balanceOf(alice), 50 * UNIT, "paid after a refill");
    }
}
