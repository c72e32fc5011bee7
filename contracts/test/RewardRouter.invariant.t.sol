// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {FuzzSelector, TestBase} from "./support/TestBase.sol";

/// @dev Honest and hostile hands on one router. The service signs any positive amount that anyone
/// asks for, so the attacker has good signatures for whatever it likes, and keeps all of them.
contract RouterActors is TestBase {
    uint256 internal constant OPERATOR_KEY = 0xA11CE;
    uint256 internal constant AMOUNT_MAX = 1_000e6;

    struct Voucher {
        address account;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
        bytes signature;
    }

    RewardRouter public immutable router;
    TestUSDT public immutable usdt;
    address[] public accounts;
    Voucher[] internal vouchers;

    mapping(address account => uint256) public redemptions;
    mapping(address account => uint256) public paid;
    mapping(bytes32 voucher => uint256) public uses;
    uint256 public usesMax;
    uint256 public paidAboveSettled;
    uint256 public settledFell;
    uint256 public nonceJumped;
    uint256 public latePayments;
    uint256 public foreignPayments;

    constructor(RewardRouter target, TestUSDT token) {
        router = target;
        usdt = token;
        for (uint160 i = 1; i <= 4; ++i) accounts.push(address(0xACC0 + i));
    }

    function accountCount() external view returns (uint256) {
        return accounts.length;
    }

    function settle(uint256 accountSeed, uint256 total) external {
        address account = accounts[accountSeed % accounts.length];
        uint256 before = router.settled(account);
        address[] memory users = new address[](1);
        uint256[] memory totals = new uint256[](1);
        (users[0], totals[0]) = (account, bound(total, 0, AMOUNT_MAX));
        vm.prank(vm.addr(OPERATOR_KEY));
        router.batchSettleRewards(users, totals);
        if (router.settled(account) < before) settledFell++;
    }

    /// @dev The service signs for any account, any amount; nonces are the current one or off by one.
    function requestSignature(
        uint256 accountSeed,
        uint256 amount,
        uint256 nonceShift,
        uint256 lifetime
    ) external {
        address account = accounts[accountSeed % accounts.length];
        amount = bound(amount, 1, 2 * AMOUNT_MAX);
        uint256 nonce = router.nonces(account) + bound(nonceShift, 0, 1);
        uint256 deadline = block.timestamp + bound(lifetime, 0, 1 hours);
        bytes32 digest = router.redemptionDigest(account, amount, nonce, deadline);
        vouchers.push(
            Voucher(account, amount, nonce, deadline, signatureOf(OPERATOR_KEY, digest))
        );
    }

    /// @dev Anyone sends any signature that was ever given out, as often as it likes.
    function redeem(uint256 voucherSeed, uint256 callerSeed) external {
        if (vouchers.length == 0) return;
        Voucher memory voucher = vouchers[voucherSeed % vouchers.length];
        address caller = callerSeed % 4 == 0
            ? accounts[(callerSeed / 4) % accounts.length]
            : voucher.account;
        uint256 nonceBefore = router.nonces(caller);
        uint256 balanceBefore = usdt.balanceOf(caller);
        vm.prank(caller);
        router.redeemReward(voucher.amount, voucher.deadline, voucher.signature);
        // Only a redemption that was paid comes to this line.
        if (caller != voucher.account) foreignPayments++;
        if (block.timestamp > voucher.deadline) latePayments++;
        if (router.nonces(caller) != nonceBefore + 1) nonceJumped++;
        redemptions[caller]++;
        paid[caller] += usdt.balanceOf(caller) - balanceBefore;
        if (paid[caller] > router.settled(caller)) paidAboveSettled++;
        uint256 used = ++uses[keccak256(voucher.signature)];
        if (used > usesMax) usesMax = used;
    }

    function passTime(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 0, 40 minutes));
    }
}

contract RewardRouterInvariantTest is TestBase {
    RewardRouter internal router;
    TestUSDT internal usdt;
    RouterActors internal actors;

    function setUp() public {
        vm.warp(1_800_000_000);
        usdt = new TestUSDT();
        router = new RewardRouter(usdt, address(this), vm.addr(0xA11CE), "ReferralRewardRouter");
        usdt.mint(address(router), 1_000_000e6);
        actors = new RouterActors(router, usdt);
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actors);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](5);
        selectors[0] = RouterActors.settle.selector;
        selectors[1] = RouterActors.requestSignature.selector;
        selectors[2] = RouterActors.redeem.selector;
        selectors[3] = RouterActors.passTime.selector;
        // Twice, so that redemptions are as frequent as what makes them possible.
        selectors[4] = RouterActors.redeem.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(actors), selectors);
    }

    function invariant_claimedNeverPassesSettled() public view {
        uint256 settledSum = 0;
        uint256 claimedSum = 0;
        for (uint256 i = 0; i < actors.accountCount(); ++i) {
            address account = actors.accounts(i);
            assertTrue(router.claimed(account) <= router.settled(account), "claimed <= settled");
            assertEq(router.claimed(account), actors.paid(account), "claimed is what was paid");
            assertEq(usdt.balanceOf(account), actors.paid(account), "balance is what was paid");
            settledSum += router.settled(account);
            claimedSum += router.claimed(account);
        }
        assertEq(router.totalSettled(), settledSum, "sum of settled");
        assertEq(router.totalClaimed(), claimedSum, "sum of claimed");
        assertTrue(claimedSum <= settledSum, "claimed <= settled in total");
        assertEq(actors.paidAboveSettled(), 0, "payments above settled");
        assertEq(actors.settledFell(), 0, "falls of settled");
    }

    function invariant_noncesRiseByOne() public view {
        for (uint256 i = 0; i < actors.accountCount(); ++i) {
            address account = actors.accounts(i);
            assertEq(router.nonces(account), actors.redemptions(account), "one per redemption");
        }
        assertEq(actors.nonceJumped(), 0, "jumps of a nonce");
    }

    function invariant_signatureWorksOnceForOneAccountInTime() public view {
        assertTrue(actors.usesMax() <= 1, "uses of one signature");
        assertEq(actors.foreignPayments(), 0, "payments to another account");
        assertEq(actors.latePayments(), 0, "payments after the deadline");
    }

    function invariant_poolCoversWhatIsOwed() public view {
        assertTrue(
            usdt.balanceOf(address(router)) >= router.totalSettled() - router.totalClaimed(),
            "pool >= owed"
        );
    }
}
