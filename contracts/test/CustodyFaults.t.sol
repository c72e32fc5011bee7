// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";
import {Guarded} from "../src/Guarded.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {Timelock} from "../src/Timelock.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Faults that only the contracts can end, from what goes wrong to how it ends. The timelock
/// owns the vault and the router, with a delay of 48 hours; the router settles 1,000 USDT a day.
contract CustodyFaultsTest is RoleBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant UNIT = 1e6;
    uint256 internal constant DELAY = 48 hours;

    TestUSDT internal usdt;
    RewardRouter internal router;
    SpotVault internal vault;
    Timelock internal timelock;

    function setUp() public {
        vm.warp(NOW);
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        router.setSettlementLimit(uint128(1_000 * UNIT), 1 days);
        usdt.mint(address(router), 10_000 * UNIT);
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vault = newVault(tokens, address(0));
        vault.setLimit(address(usdt), bounded(UNIT));
        usdt.mint(address(this), 400 * UNIT);
        usdt.approve(address(vault), 400 * UNIT);
        vault.refill(address(usdt), 400 * UNIT);
        address[] memory proposers = new address[](2);
        (proposers[0], proposers[1]) = (council, cold);
        timelock = new Timelock(DELAY, proposers, new address[](1));
        own(router);
        own(vault);
    }

    function own(Guarded target) internal {
        target.transferOwnership(address(timelock));
        vm.prank(address(timelock));
        target.acceptOwnership();
    }

    function settle(address account, uint256 whole) internal {
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, whole * UNIT);
        vm.prank(settler);
        router.batchSettleRewards(users, totals);
    }

    function redeemSignature(address account, uint256 amount) internal view returns (bytes memory) {
        bytes32 digest = router.redemptionDigest(
            account,
            amount,
            router.nonces(account),
            block.timestamp
        );
        return signatureOf(OPERATOR_KEY, digest);
    }

    function propose(address proposer, address target, bytes memory data) internal returns (bytes32) {
        vm.prank(proposer);
        timelock.schedule(target, 0, data, 0, 0, DELAY);
        return timelock.hashOperation(target, 0, data, 0, 0);
    }

    function releaseSignature(
        address account,
        uint256 amount,
        uint256 deadline
    ) internal view returns (bytes memory) {
        uint256 nonce = vault.releaseNonce(account);
        return
            signatureOf(
                OPERATOR_KEY,
                vault.releaseDigest(account, address(usdt), amount, nonce, deadline)
            );
    }

    // Fault 33: an over-settlement by a bug

    function test_fault33_anOverSettlementIsAtMostTheLimitAndAHoldKeepsItUnpaid() public {
        settle(alice, 10);
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (alice, 1_001 * UNIT);
        vm.prank(settler);
        vm.expectPartialRevert(RewardRouter.SettlementWindowExceeded.selector);
        router.batchSettleRewards(users, totals);
        settle(alice, 1_000);
        vm.prank(guardian);
        router.setHold(alice, 990 * UNIT);
        bytes memory signature = redeemSignature(alice, 11 * UNIT);
        vm.prank(alice);
        vm.expectPartialRevert(RewardRouter.AmountHeld.selector);
        router.redeemReward(11 * UNIT, block.timestamp, signature);
        // The same batch once more, and one with the true total, change nothing.
        settle(alice, 1_000);
        settle(alice, 10);
        assertEq(router.settled(alice), 1_000 * UNIT, "totals never fall");
        assertEq(router.held(alice), 990 * UNIT, "held");
        signature = redeemSignature(alice, 10 * UNIT);
        vm.prank(alice);
        router.redeemReward(10 * UNIT, block.timestamp, signature);
        assertEq(usdt.balanceOf(alice), 10 * UNIT, "what is due is paid");
    }

    // Fault 34: ownership, a raised limit, a lost council

    function test_fault34_nobodyRenouncesWhilePaused() public {
        vm.prank(guardian);
        vault.pause();
        vm.prank(address(timelock));
        vm.expectRevert(Guarded.RenounceDisabled.selector);
        vault.renounceOwnership();
    }

    function test_fault34_aRaisedLimitIsVisibleFor48HoursAndCancelledByEither() public {
        bytes memory raise = abi.encodeCall(vault.setLimit, (address(usdt), unlimited()));
        address[2] memory cancellers = [council, cold];
        for (uint256 i = 0; i < cancellers.length; ++i) {
            bytes32 id = propose(council, address(vault), raise);
            vm.warp(block.timestamp + DELAY - 1);
            vm.expectPartialRevert(TimelockController.TimelockUnexpectedOperationState.selector);
            timelock.execute(address(vault), 0, raise, 0, 0);
            vm.prank(cancellers[i]);
            timelock.cancel(id);
            vm.warp(block.timestamp + 1);
            vm.expectPartialRevert(TimelockController.TimelockUnexpectedOperationState.selector);
            timelock.execute(address(vault), 0, raise, 0, 0);
        }
    }

    function test_fault34_theColdWalletProposesANewCouncil() public {
        bytes memory replace = abi.encodeCall(vault.setCouncil, (bob));
        propose(cold, address(vault), replace);
        vm.warp(block.timestamp + DELAY);
        timelock.execute(address(vault), 0, replace, 0, 0);
        assertEq(vault.council(), bob, "council");
    }

    // Fault 35: the council is taken over

    function test_fault35_theColdWalletEvacuatesAndQueuedReleasesWaitForARefill() public {
        uint256 deadline = block.timestamp + 1 hours;
        bytes memory signature = releaseSignature(alice, 20 * UNIT, deadline);
        vm.prank(alice);
        vault.release(address(usdt), 20 * UNIT, 0, deadline, signature);
        uint256 id = vault.nextQueueId() - 1;
        // The council names a key of its own; the cold wallet takes everything away from it.
        address thief = vm.addr(STRANGER_KEY);
        vm.prank(council);
        vault.setOperator(thief);
        vm.prank(cold);
        vault.evacuate(address(usdt));
        vm.prank(cold);
        router.evacuate();
        assertEq(usdt.balanceOf(cold), 10_400 * UNIT, "evacuated");
        vm.warp(block.timestamp + 1 days);
        vm.expectPartialRevert(SpotVault.NotFunded.selector);
        vault.payQueued(id);
        vm.prank(cold);
        usdt.approve(address(vault), 100 * UNIT);
        vm.prank(cold);
        vault.refill(address(usdt), 100 * UNIT);
        vault.payQueued(id);
        assertEq(usdt.balanceOf(alice), 20 * UNIT, "paid after the refill");
    }
}
