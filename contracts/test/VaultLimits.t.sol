// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Guarded} from "../src/Guarded.sol";
import {Predecessor} from "../src/Predecessor.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {SpotVaultV1} from "../src/version1/SpotVaultV1.sol";
import {HostileToken} from "./support/HostileToken.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Limits of the bounded vault, in whole USDT: 10 at once for one release, 100 for all, a day
/// to come back and to wait, floor 300, high mark 500; 400 are there.
contract VaultLimitsTest is RoleBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant UNIT = 1e6;
    uint256 internal constant THIEF_KEY = 0xBAD;

    TestUSDT internal usdt;
    SpotVault internal vault;

    event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce);
    event ReleaseQueued(
        uint256 indexed id,
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 nonce,
        uint256 payableAt
    );
    event QueuedPaid(
        uint256 indexed id,
        address indexed account,
        address indexed token,
        uint256 amount
    );
    event QueuedCancelled(uint256 indexed id);
    event SignerVoided(address indexed signer);
    event LimitsChanged(
        address indexed token,
        SpotVault.Limits previous,
        SpotVault.Limits current
    );
    event Swept(address indexed token, address indexed to, uint256 amount);
    event Refilled(address indexed token, address indexed from, uint256 amount);
    event SurplusRescued(address indexed token, address indexed to, uint256 amount);
    event DepositsPausedChanged(bool wasPaused, bool isPaused);
    event Deposited(
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 number
    );

    function setUp() public {
        vm.warp(NOW);
        usdt = new TestUSDT();
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vault = newVault(tokens, address(0));
        vault.setLimit(address(usdt), bounded(UNIT));
        refill(400);
    }

    function refill(uint256 whole) internal {
        usdt.mint(address(this), whole * UNIT);
        usdt.approve(address(vault), whole * UNIT);
        vault.refill(address(usdt), whole * UNIT);
    }

    function releaseBy(uint256 key, address account, uint256 amount) internal {
        uint256 nonce = vault.releaseNonce(account);
        uint256 deadline = block.timestamp + 1 hours;
        bytes32 digest = vault.releaseDigest(account, address(usdt), amount, nonce, deadline);
        bytes memory signature = signatureOf(key, digest);
        vm.prank(account);
        vault.release(address(usdt), amount, nonce, deadline, signature);
    }

    function release(address account, uint256 amount) internal {
        releaseBy(OPERATOR_KEY, account, amount);
    }

    function fillWindow() internal {
        for (uint256 i = 0; i < 10; ++i) release(alice, 10 * UNIT);
    }

    function list(uint256 first) internal pure returns (uint256[] memory ids) {
        ids = new uint256[](1);
        ids[0] = first;
    }

    function expectNotQueued(uint256 id) internal {
        vm.expectRevert(abi.encodeWithSelector(SpotVault.NotQueued.selector, id));
        vault.payQueued(id);
    }

    // At once

    function test_upToTheInstantLimitIsPaidAtOnce() public {
        vm.expectEmit(true, true, false, true, address(vault));
        emit Released(alice, address(usdt), 10 * UNIT, 0);
        release(alice, 10 * UNIT);
        assertEq(usdt.balanceOf(alice), 10 * UNIT, "paid");
        assertEq(vault.accounted(address(usdt)), 390 * UNIT, "accounted");
        assertEq(vault.windowUsed(address(usdt)), 10 * UNIT, "used");
    }

    function test_aboveTheInstantLimitIsQueued() public {
        vm.expectEmit(true, true, true, true, address(vault));
        emit ReleaseQueued(1, alice, address(usdt), 10 * UNIT + 1, 0, NOW + 1 days);
        release(alice, 10 * UNIT + 1);
        assertEq(usdt.balanceOf(alice), 0, "paid");
        assertEq(vault.releaseNonce(alice), 1, "the nonce is taken");
        assertEq(vault.queuedTotal(address(usdt)), 10 * UNIT + 1, "queued");
        assertEq(vault.windowUsed(address(usdt)), 0, "used");
        assertEq(vault.accounted(address(usdt)), 400 * UNIT, "accounted");
        SpotVault.QueuedRelease memory entry = vault.queuedRelease(1);
        assertEq(entry.account, alice, "account");
        assertEq(entry.token, address(usdt), "token");
        assertEq(entry.signer, operator, "signer");
        assertEq(entry.amount, 10 * UNIT + 1, "amount");
        assertEq(entry.payableAt, NOW + 1 days, "payable at");
        assertTrue(vault.isQueued(1), "queued");
        assertEq(vault.nextQueueId(), 2, "next id");
    }

    function test_aFullWindowQueuesAndComesBackEvenly() public {
        fillWindow();
        assertEq(vault.windowUsed(address(usdt)), 100 * UNIT, "full");
        release(alice, 1);
        assertEq(vault.queuedTotal(address(usdt)), 1, "one too many waits");
        vm.warp(NOW + 1 hours);
        // A 24th of the window, rounded down, is free.
        assertEq(vault.windowUsed(address(usdt)), 100 * UNIT - (100 * UNIT) / 24, "used");
        release(alice, (100 * UNIT) / 24);
        assertEq(vault.windowUsed(address(usdt)), 100 * UNIT, "full again");
        assertEq(vault.queuedTotal(address(usdt)), 1, "nothing more waits");
        release(alice, 2);
        assertEq(vault.queuedTotal(address(usdt)), 3, "the next waits");
        vm.warp(NOW + 25 hours);
        assertEq(vault.windowUsed(address(usdt)), 0, "all is back after a day");
    }

    function test_depositsMakeNoRoom() public {
        fillWindow();
        usdt.mint(alice, 50 * UNIT);
        vm.startPrank(alice);
        usdt.approve(address(vault), 50 * UNIT);
        vault.deposit(address(usdt), 50 * UNIT);
        vm.stopPrank();
        assertEq(vault.windowUsed(address(usdt)), 100 * UNIT, "used");
        assertEq(vault.accounted(address(usdt)), 350 * UNIT, "accounted");
    }

    function test_whatIsNotThereIsQueued() public {
        vm.prank(cold);
        vault.evacuate(address(usdt));
        release(alice, UNIT);
        assertEq(vault.queuedTotal(address(usdt)), UNIT, "queued");
        vm.warp(NOW + 1 days);
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.NotFunded.selector, address(usdt), 0, UNIT)
        );
        vault.payQueued(1);
        refill(1);
        vault.payQueued(1);
        assertEq(usdt.balanceOf(alice), UNIT, "paid once it is there");
    }

    function test_allThatIsThereCanBePaid() public {
        vault.setLimit(address(usdt), unlimited());
        release(alice, 400 * UNIT);
        assertEq(vault.accounted(address(usdt)), 0, "accounted");
        assertEq(usdt.balanceOf(alice), 400 * UNIT, "paid");
    }

    function test_aTokenWithoutLimitsPaysNothingAtOnce() public {
        TestUSDT other = new TestUSDT();
        bytes32 digest = vault.releaseDigest(alice, address(other), 1, 0, NOW);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vm.expectEmit(true, true, true, true, address(vault));
        emit ReleaseQueued(1, alice, address(other), 1, 0, NOW + 7 days);
        vm.prank(alice);
        vault.release(address(other), 1, 0, NOW, signature);
    }

    // The queue

    function test_anybodyPaysAQueuedReleaseAfterItsDelay() public {
        release(alice, 50 * UNIT);
        vm.warp(NOW + 1 days - 1);
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.NotPayableYet.selector, 1, NOW + 1 days)
        );
        vault.payQueued(1);
        vm.warp(NOW + 1 days);
        vm.expectEmit(true, true, true, true, address(vault));
        emit QueuedPaid(1, alice, address(usdt), 50 * UNIT);
        vm.prank(bob);
        vault.payQueued(1);
        assertEq(usdt.balanceOf(alice), 50 * UNIT, "paid to its account");
        assertEq(vault.queuedTotal(address(usdt)), 0, "queued");
        assertEq(vault.accounted(address(usdt)), 350 * UNIT, "accounted");
        assertEq(vault.windowUsed(address(usdt)), 0, "used");
        expectNotQueued(1);
    }

    function test_pauseHoldsTheQueue() public {
        release(alice, 50 * UNIT);
        vm.warp(NOW + 1 days);
        vault.pause();
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.payQueued(1);
    }

    function test_queuedReleasesAreCancelledForEver() public {
        release(alice, 50 * UNIT);
        release(bob, 30 * UNIT);
        release(bob, 20 * UNIT);
        vm.expectEmit(true, false, false, true, address(vault));
        emit QueuedCancelled(1);
        vm.prank(guardian);
        vault.cancelQueued(list(1));
        assertEq(vault.queuedTotal(address(usdt)), 50 * UNIT, "queued");
        vm.prank(council);
        vault.cancelQueued(list(2));
        assertEq(vault.queuedTotal(address(usdt)), 20 * UNIT, "queued");
        vm.warp(NOW + 1 days);
        expectNotQueued(1);
        expectNotQueued(2);
        vault.payQueued(3);
        assertEq(vault.releaseNonce(alice), 1, "the nonce stays taken");
    }

    function test_cancellingPassesOverWhatIsNotQueued() public {
        release(alice, 50 * UNIT);
        uint256[] memory ids = new uint256[](3);
        (ids[0], ids[1], ids[2]) = (1, 1, 7);
        vm.recordLogs();
        vm.prank(guardian);
        vault.cancelQueued(ids);
        assertEq(vm.getRecordedLogs().length, 1, "told once");
        assertEq(vault.queuedTotal(address(usdt)), 0, "cancelled once");
        assertTrue(!vault.isQueued(1), "cancelled");
    }

    function test_onlyGuardiansCancel() public {
        address[4] memory others = [address(this), operator, cold, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            bytes memory refusal = abi.encodeWithSelector(
                Guarded.NotGuardian.selector,
                others[i]
            );
            vm.startPrank(others[i]);
            vm.expectRevert(refusal);
            vault.cancelQueued(list(1));
            vm.expectRevert(refusal);
            vault.voidSigner(operator);
            vm.expectRevert(refusal);
            vault.lowerLimit(address(usdt), 0, 0, 7 days);
            vm.expectRevert(refusal);
            vault.setDepositsPaused(true);
            vm.stopPrank();
        }
    }

    function test_ofAThiefsReleasesOnlyTheWindowIsPaid() public {
        vm.prank(council);
        vault.setOperator(vm.addr(THIEF_KEY));
        for (uint256 i = 0; i < 20; ++i) releaseBy(THIEF_KEY, bob, 10 * UNIT);
        assertEq(usdt.balanceOf(bob), 100 * UNIT, "paid at once");
        assertEq(vault.queuedTotal(address(usdt)), 100 * UNIT, "queued");
        vm.expectEmit(true, false, false, true, address(vault));
        emit SignerVoided(vm.addr(THIEF_KEY));
        vm.prank(guardian);
        vault.voidSigner(vm.addr(THIEF_KEY));
        assertTrue(vault.paused(), "paused");
        assertEq(vault.queuedTotal(address(usdt)), 0, "nothing waits");
        vm.startPrank(council);
        vault.setOperator(operator);
        vault.unpause();
        vm.stopPrank();
        vm.warp(NOW + 7 days);
        expectNotQueued(1);
    }

    function test_aVoidSignerIsVoidForEver() public {
        vm.prank(guardian);
        vault.voidSigner(operator);
        assertTrue(vault.isVoid(operator), "void");
        vm.prank(council);
        vault.unpause();
        uint256 deadline = NOW + 1 hours;
        bytes32 digest = vault.releaseDigest(alice, address(usdt), 1, 0, deadline);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(SpotVault.InvalidSigner.selector, operator));
        vault.release(address(usdt), 1, 0, deadline, signature);
        vm.startPrank(council);
        vault.setOperator(bob);
        vm.expectRevert(abi.encodeWithSelector(Guarded.InvalidRole.selector, operator));
        vault.setOperator(operator);
        vm.stopPrank();
    }

    function test_aFormerSignerIsVoidedWithoutAPause() public {
        release(alice, 50 * UNIT);
        vm.prank(council);
        vault.setOperator(vm.addr(STRANGER_KEY));
        releaseBy(STRANGER_KEY, bob, 60 * UNIT);
        assertEq(vault.queuedTotal(address(usdt)), 110 * UNIT, "of both signers");
        vm.prank(council);
        vault.voidSigner(operator);
        assertTrue(!vault.paused(), "not paused");
        assertEq(vault.queuedTotal(address(usdt)), 60 * UNIT, "of the present one");
        vm.prank(guardian);
        vault.cancelQueued(list(1));
        assertEq(vault.queuedTotal(address(usdt)), 60 * UNIT, "a void one is not cancelled");
        vm.warp(NOW + 1 days);
        expectNotQueued(1);
        vault.payQueued(2);
    }

    function test_voidingInAPauseLeavesThePause() public {
        vault.pause();
        vm.prank(guardian);
        vault.voidSigner(operator);
        assertTrue(vault.paused(), "paused");
    }

    // Limits

    function test_limitsMustAgree() public {
        SpotVault.Limits memory entry = bounded(UNIT);
        entry.period = 0;
        vm.expectRevert(SpotVault.InvalidLimit.selector);
        vault.setLimit(address(usdt), entry);
        entry = bounded(UNIT);
        entry.instantMax = entry.windowMax + 1;
        vm.expectRevert(SpotVault.InvalidLimit.selector);
        vault.setLimit(address(usdt), entry);
        entry = bounded(UNIT);
        entry.floor = entry.highMark + 1;
        vm.expectRevert(SpotVault.InvalidLimit.selector);
        vault.setLimit(address(usdt), entry);
        entry = bounded(UNIT);
        entry.delay = 7 days + 1;
        vm.expectRevert(SpotVault.InvalidLimit.selector);
        vault.setLimit(address(usdt), entry);
        entry.delay = 7 days;
        (entry.instantMax, entry.floor) = (entry.windowMax, entry.highMark);
        vm.expectEmit(true, false, false, true, address(vault));
        emit LimitsChanged(address(usdt), bounded(UNIT), entry);
        vault.setLimit(address(usdt), entry);
        assertEq(vault.limits(address(usdt)).delay, 7 days, "delay");
    }

    function test_guardiansOnlyTighten() public {
        vm.startPrank(guardian);
        uint128 unit = uint128(UNIT);
        vm.expectRevert(SpotVault.NotTighter.selector);
        vault.lowerLimit(address(usdt), 10 * unit + 1, 100 * unit, 1 days);
        vm.expectRevert(SpotVault.NotTighter.selector);
        vault.lowerLimit(address(usdt), 10 * unit, 100 * unit + 1, 1 days);
        vm.expectRevert(SpotVault.NotTighter.selector);
        vault.lowerLimit(address(usdt), 10 * unit, 100 * unit, 1 days - 1);
        vm.expectRevert(SpotVault.NotTighter.selector);
        vault.lowerLimit(address(usdt), 10 * unit, 100 * unit, 7 days + 1);
        vault.lowerLimit(address(usdt), 10 * unit, 100 * unit, 1 days);
        vault.lowerLimit(address(usdt), 2 * unit, 20 * unit, 7 days);
        vm.stopPrank();
        SpotVault.Limits memory entry = vault.limits(address(usdt));
        assertEq(entry.instantMax, 2 * UNIT, "instant");
        assertEq(entry.windowMax, 20 * UNIT, "window");
        assertEq(entry.delay, 7 days, "delay");
        assertEq(entry.period, 1 days, "period");
        assertEq(entry.floor, 300 * UNIT, "floor");
        assertEq(entry.highMark, 500 * UNIT, "high mark");
    }

    function test_aChangeOfLimitsForgivesNothing() public {
        fillWindow();
        vm.warp(NOW + 12 hours);
        SpotVault.Limits memory entry = bounded(UNIT);
        entry.windowMax = uint128(1_000 * UNIT);
        vault.setLimit(address(usdt), entry);
        assertEq(vault.windowUsed(address(usdt)), 50 * UNIT, "half came back at the old pace");
        vm.warp(NOW + 12 hours + 36 minutes);
        assertEq(vault.windowUsed(address(usdt)), 25 * UNIT, "then at the new one");
        vm.prank(guardian);
        vault.lowerLimit(address(usdt), 0, uint128(10 * UNIT), 1 days);
        assertEq(vault.windowUsed(address(usdt)), 25 * UNIT, "above the new limit");
        release(alice, 1);
        assertEq(vault.queuedTotal(address(usdt)), 1, "nothing at once");
    }

    // Cold wallet

    function test_anybodySweepsWhatIsAboveTheHighMark() public {
        refill(100);
        vm.expectRevert(abi.encodeWithSelector(SpotVault.BelowHighMark.selector, address(usdt)));
        vault.sweep(address(usdt));
        refill(200);
        release(alice, 50 * UNIT);
        vm.expectEmit(true, true, false, true, address(vault));
        emit Swept(address(usdt), cold, 250 * UNIT);
        vm.prank(bob);
        vault.sweep(address(usdt));
        assertEq(usdt.balanceOf(cold), 250 * UNIT, "swept");
        // The middle of floor and high mark, and what is queued.
        assertEq(vault.accounted(address(usdt)), 450 * UNIT, "left");
    }

    function test_whatIsQueuedIsNotSwept() public {
        refill(150);
        release(alice, 50 * UNIT);
        vm.expectRevert(abi.encodeWithSelector(SpotVault.BelowHighMark.selector, address(usdt)));
        vault.sweep(address(usdt));
    }

    function test_withoutAColdWalletNothingIsSwept() public {
        SpotVault other = new SpotVault(
            new address[](0),
            roles(operator),
            address(0),
            address(0),
            "SpotVault"
        );
        vm.expectRevert(abi.encodeWithSelector(Guarded.InvalidRole.selector, address(0)));
        other.sweep(address(usdt));
    }

    function test_theColdWalletEvacuatesAtAnyTime() public {
        vault.pause();
        vault.retire();
        address[5] memory others = [address(this), council, guardian, operator, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(SpotVault.NotColdWallet.selector, others[i]));
            vault.evacuate(address(usdt));
        }
        usdt.mint(address(vault), 5 * UNIT);
        vm.expectEmit(true, true, false, true, address(vault));
        emit Swept(address(usdt), cold, 400 * UNIT);
        vm.prank(cold);
        vault.evacuate(address(usdt));
        assertEq(usdt.balanceOf(cold), 400 * UNIT, "evacuated");
        assertEq(vault.accounted(address(usdt)), 0, "accounted");
        vm.prank(cold);
        vm.expectRevert(SpotVault.ZeroAmount.selector);
        vault.evacuate(address(usdt));
    }

    function test_whatIsLeftOfAShrunkenTokenIsEvacuated() public {
        HostileToken token = new HostileToken();
        token.mint(address(this), 100);
        token.approve(address(vault), 100);
        vault.refill(address(token), 100);
        token.burn(address(vault), 40);
        vm.prank(cold);
        vault.evacuate(address(token));
        assertEq(token.balanceOf(cold), 60, "what is there");
        assertEq(vault.accounted(address(token)), 40, "what the books miss");
    }

    function test_aRefillIsNobodysDeposit() public {
        usdt.mint(bob, UNIT);
        vm.startPrank(bob);
        usdt.approve(address(vault), UNIT);
        vm.expectRevert(SpotVault.ZeroAmount.selector);
        vault.refill(address(usdt), 0);
        vm.expectEmit(true, true, false, true, address(vault));
        emit Refilled(address(usdt), bob, UNIT);
        vault.refill(address(usdt), UNIT);
        vm.stopPrank();
        assertEq(vault.depositCount(bob), 0, "deposits");
        assertEq(vault.accounted(address(usdt)), 401 * UNIT, "accounted");
        vault.pause();
        refill(1);
        vault.retire();
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.refill(address(usdt), 1);
    }

    function test_onlyTheSurplusIsRescued() public {
        usdt.mint(address(vault), 5 * UNIT);
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.NoSurplus.selector, address(usdt), 5 * UNIT)
        );
        vault.rescueSurplus(address(usdt), bob, 5 * UNIT + 1);
        vm.expectEmit(true, true, false, true, address(vault));
        emit SurplusRescued(address(usdt), bob, 5 * UNIT);
        vault.rescueSurplus(address(usdt), bob, 5 * UNIT);
        assertEq(usdt.balanceOf(bob), 5 * UNIT, "rescued");
        vm.expectRevert(abi.encodeWithSelector(SpotVault.NoSurplus.selector, address(usdt), 0));
        vault.rescueSurplus(address(usdt), bob, 1);
        assertEq(vault.accounted(address(usdt)), 400 * UNIT, "accounted");
    }

    function test_noDoorOpensWhileASurplusIsRescued() public {
        HostileToken token = new HostileToken();
        token.mint(address(vault), 100);
        token.callBack(address(vault), abi.encodeCall(SpotVault.payQueued, (1)));
        vault.rescueSurplus(address(token), bob, 100);
        assertTrue(!token.callbackSucceeded(), "refused");
        bytes4 refusal = bytes4(token.callbackResult());
        assertEq(
            bytes32(refusal),
            bytes32(bytes4(keccak256("ReentrancyGuardReentrantCall()"))),
            "as a call within a call"
        );
    }

    function test_aShrunkenTokenHasNoSurplus() public {
        HostileToken token = new HostileToken();
        token.mint(address(this), 100);
        token.approve(address(vault), 100);
        vault.refill(address(token), 100);
        token.burn(address(vault), 40);
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.NoSurplus.selector, address(token), 0)
        );
        vault.rescueSurplus(address(token), bob, 1);
    }

    function test_depositsStopWhileReleasesGoOn() public {
        vm.expectEmit(false, false, false, true, address(vault));
        emit DepositsPausedChanged(false, true);
        vm.prank(guardian);
        vault.setDepositsPaused(true);
        vm.expectRevert(SpotVault.DepositsPaused.selector);
        vault.deposit(address(usdt), 1);
        release(alice, UNIT);
        vm.prank(guardian);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotCouncil.selector, guardian));
        vault.setDepositsPaused(false);
        vm.prank(council);
        vault.setDepositsPaused(false);
        assertTrue(!vault.depositsPaused(), "open again");
    }

    // Successors

    function test_retiringVoidsTheQueue() public {
        release(alice, 50 * UNIT);
        vault.pause();
        vault.retire();
        assertEq(vault.queuedTotal(address(usdt)), 0, "nothing waits");
        assertTrue(!vault.isQueued(1), "void");
        vm.warp(NOW + 1 days);
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.payQueued(1);
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.deposit(address(usdt), 1);
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.release(address(usdt), 1, 0, NOW, "");
    }

    function test_fault8_aSuccessorContinuesTheNumbers() public {
        release(alice, UNIT);
        release(alice, 50 * UNIT);
        usdt.mint(alice, 2 * UNIT);
        vm.startPrank(alice);
        usdt.approve(address(vault), 2 * UNIT);
        vault.deposit(address(usdt), UNIT);
        vm.stopPrank();
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vm.expectRevert(
            abi.encodeWithSelector(Predecessor.PredecessorActive.selector, address(vault))
        );
        new SpotVault(tokens, roles(operator), cold, address(vault), "SpotVault");
        vault.pause();
        vm.expectRevert(
            abi.encodeWithSelector(Predecessor.PredecessorActive.selector, address(vault))
        );
        new SpotVault(tokens, roles(operator), cold, address(vault), "SpotVault");
        vault.retire();
        SpotVault before = vault;
        vault = newVault(tokens, address(vault));
        assertEq(vault.predecessor(), address(before), "predecessor");
        assertEq(vault.releaseNonce(alice), 2, "nonce");
        assertEq(vault.depositCount(alice), 1, "deposits");
        refill(10);
        vm.startPrank(alice);
        usdt.approve(address(vault), UNIT);
        vm.expectEmit(true, true, false, true, address(vault));
        emit Deposited(alice, address(usdt), UNIT, 1);
        vault.deposit(address(usdt), UNIT);
        vm.stopPrank();
        vm.expectEmit(true, true, false, true, address(vault));
        emit Released(alice, address(usdt), UNIT, 2);
        release(alice, UNIT);
        assertEq(vault.releaseNonce(alice), 3, "next nonce");
        assertEq(vault.depositCount(alice), 2, "next deposit");
        assertEq(before.releaseNonce(alice), 2, "the predecessor's is final");
    }

    function test_fault8_anOldSignatureIsWorthlessAtTheSuccessor() public {
        bytes32 digest = vault.releaseDigest(alice, address(usdt), UNIT, 0, NOW + 1 hours);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vault.pause();
        vault.retire();
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vault = newVault(tokens, address(vault));
        refill(10);
        vm.prank(alice);
        vm.expectPartialRevert(SpotVault.InvalidSigner.selector);
        vault.release(address(usdt), UNIT, 0, NOW + 1 hours, signature);
    }

    function test_theFirstVersionIsContinuedOncePausedWithoutOwner() public {
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        SpotVaultV1 first = new SpotVaultV1(tokens, address(this), operator, "SpotVault");
        usdt.mint(address(this), UNIT);
        usdt.approve(address(first), UNIT);
        first.deposit(address(usdt), UNIT);
        bytes memory refusal = abi.encodeWithSelector(
            Predecessor.PredecessorActive.selector,
            address(first)
        );
        vm.expectRevert(refusal);
        new SpotVault(tokens, roles(operator), cold, address(first), "SpotVault");
        first.pause();
        vm.expectRevert(refusal);
        new SpotVault(tokens, roles(operator), cold, address(first), "SpotVault");
        first.renounceOwnership();
        vault = newVault(tokens, address(first));
        assertEq(vault.depositCount(address(this)), 1, "deposits");
        refill(1);
        assertEq(vault.depositCount(address(this)), 1, "a refill has no number");
    }

    function test_aFirstVersionWithoutOwnerThatRunsIsNotContinued() public {
        SpotVaultV1 first = new SpotVaultV1(
            new address[](0),
            address(this),
            operator,
            "SpotVault"
        );
        first.renounceOwnership();
        vm.expectRevert(
            abi.encodeWithSelector(Predecessor.PredecessorActive.selector, address(first))
        );
        new SpotVault(new address[](0), roles(operator), cold, address(first), "SpotVault");
    }

    // Hostile tokens

    function hostileVault() internal returns (HostileToken token) {
        token = new HostileToken();
        vault.setTokenSupport(address(token), true);
        vault.setLimit(address(token), unlimited());
        token.mint(address(this), 1_000);
        token.approve(address(vault), 1_000);
        vault.refill(address(token), 1_000);
    }

    function releaseOf(HostileToken token, address account, uint256 amount) internal {
        uint256 nonce = vault.releaseNonce(account);
        bytes32 digest = vault.releaseDigest(account, address(token), amount, nonce, NOW);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vm.prank(account);
        vault.release(address(token), amount, nonce, NOW, signature);
    }

    function test_aTransferThatAnswersFalseChangesNothing() public {
        HostileToken token = hostileVault();
        token.answer(HostileToken.Answer.False);
        bytes32 digest = vault.releaseDigest(alice, address(token), 10, 0, NOW);
        bytes memory signature = signatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectPartialRevert(bytes4(keccak256("SafeERC20FailedOperation(address)")));
        vault.release(address(token), 10, 0, NOW, signature);
        assertEq(vault.releaseNonce(alice), 0, "nonce");
        assertEq(vault.accounted(address(token)), 1_000, "accounted");
    }

    function test_aTransferThatAnswersNothingIsTaken() public {
        HostileToken token = hostileVault();
        token.answer(HostileToken.Answer.Nothing);
        releaseOf(token, alice, 10);
        assertEq(token.balanceOf(alice), 10, "paid");
    }

    function test_fault20_aReleaseToABlacklistedAccountStaysQueuedUntilItIsCancelled() public {
        HostileToken token = hostileVault();
        vault.setLimit(address(token), bounded(1));
        releaseOf(token, alice, 20);
        releaseOf(token, bob, 20);
        token.blacklist(alice, true);
        vm.warp(NOW + 1 days);
        vm.expectPartialRevert(HostileToken.Blacklisted.selector);
        vault.payQueued(1);
        assertTrue(vault.isQueued(1), "stays queued");
        vault.payQueued(2);
        assertEq(token.balanceOf(bob), 20, "holds up nobody else");
        uint256[] memory ids = new uint256[](1);
        ids[0] = 1;
        vm.prank(guardian);
        vault.cancelQueued(ids);
        assertTrue(!vault.isQueued(1), "cancelled");
        assertEq(vault.accounted(address(token)), 980, "the money stays");
        assertEq(vault.releaseNonce(alice), 1, "its nonce is spent");
    }

    function test_everyDoorIsShutDuringATransfer() public {
        HostileToken token = hostileVault();
        vault.setLimit(address(token), bounded(1));
        releaseOf(token, address(token), 20);
        vm.warp(NOW + 1 days);
        bytes[4] memory calls = [
            abi.encodeCall(SpotVault.payQueued, (1)),
            abi.encodeCall(SpotVault.sweep, (address(token))),
            abi.encodeCall(SpotVault.refill, (address(token), 1)),
            abi.encodeCall(SpotVault.evacuate, (address(token)))
        ];
        for (uint256 i = 0; i < calls.length; ++i) {
            token.callBack(address(vault), calls[i]);
            token.mint(address(this), 1);
            token.approve(address(vault), 1);
            vault.refill(address(token), 1);
            assertEq(
                bytes32(token.callbackResult()),
                bytes32(bytes4(keccak256("ReentrancyGuardReentrantCall()"))),
                "refused by the guard"
            );
        }
        token.callBack(address(vault), calls[2]);
        vault.payQueued(1);
        assertTrue(!token.callbackSucceeded(), "refused while a queued release is paid");
        token.callBack(address(vault), calls[2]);
        vault.sweep(address(token));
        assertTrue(!token.callbackSucceeded(), "refused during a sweep");
        token.callBack(address(vault), calls[2]);
        vm.prank(cold);
        vault.evacuate(address(token));
        assertTrue(!token.callbackSucceeded(), "refused during an evacuation");
        token.mint(address(vault), 5);
        token.callBack(address(vault), calls[2]);
        vault.rescueSurplus(address(token), bob, 5);
        assertTrue(!token.callbackSucceeded(), "refused during a rescue");
    }
}
