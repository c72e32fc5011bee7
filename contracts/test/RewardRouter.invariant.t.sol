// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Guarded} from "../src/Guarded.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {ActorBase, ActorRun} from "./support/ActorBase.sol";

/// @dev Honest and hostile hands on a line of routers. The service signs any positive amount that
/// anyone asks for, so the attacker has good signatures for whatever it likes, and keeps them.
contract RouterActors is ActorBase {
    uint256 internal constant AMOUNT_MAX = 1_000e6;

    struct Voucher {
        address account;
        uint256 amount;
        uint256 deadline;
        bytes signature;
    }

    TestUSDT public immutable usdt;
    RewardRouter[] public routers;
    address[4] public accounts = [
        address(0xACC1),
        address(0xACC2),
        address(0xACC3),
        address(0xACC4)
    ];
    Voucher[] internal vouchers;

    mapping(address account => uint256) public redemptions;
    mapping(address account => uint256) public paid;
    mapping(address account => uint256) public highest;
    mapping(bytes32 voucher => uint256) public uses;

    constructor() {
        usdt = new TestUSDT();
        routers.push(newRouter(usdt, address(0)));
        usdt.mint(address(router()), 1_000_000e6);
        router().setSettlementLimit(uint128(3 * AMOUNT_MAX), 1 days);
    }

    function router() public view returns (RewardRouter) {
        return routers[routers.length - 1];
    }

    function settle(uint256 who, uint256 total) external {
        address account = accounts[who % 4];
        uint256 before = router().settled(account);
        (address[] memory users, uint256[] memory totals) = batch(
            account,
            bound(total, 0, AMOUNT_MAX)
        );
        vm.prank(settler);
        try router().batchSettleRewards(users, totals) {
            if (totals[0] > highest[account]) highest[account] = totals[0];
            demand(router().settled(account) >= before, "settled never falls");
            demand(
                router().settlementUsed() <= router().settlementMax() || totals[0] <= before,
                "within the limit"
            );
            succeeded(this.settle.selector);
        } catch (bytes memory reason) {
            allow(reason, RewardRouter.SettlementWindowExceeded.selector);
        }
    }

    /// @dev Signs for any account, any amount; the nonce is the current one or one too high.
    function request(uint256 who, uint256 amount, uint256 shift, uint256 lifetime) public {
        address account = accounts[who % 4];
        uint256 unclaimed = router().settled(account) - router().claimed(account);
        amount = amount % 2 == 0 && unclaimed > 0
            ? bound(amount, 1, unclaimed)
            : bound(amount, 1, 2 * AMOUNT_MAX);
        uint256 deadline = block.timestamp + bound(lifetime, 0, 1 hours);
        bytes32 digest = router().redemptionDigest(
            account,
            amount,
            router().nonces(account) + (shift % 4 == 0 ? 1 : 0),
            deadline
        );
        vouchers.push(Voucher(account, amount, deadline, signatureOf(OPERATOR_KEY, digest)));
        succeeded(this.request.selector);
    }

    /// @dev Redeems what can be redeemed, with a signature of now.
    function redeem(uint256 who, uint256 amount) external {
        for (uint256 i = 0; i < 4; ++i) {
            address account = accounts[(who % 4 + i) % 4];
            uint256 available = router().settled(account) -
                router().claimed(account) -
                router().held(account);
            if (available == 0) continue;
            amount = bound(amount, 1, available);
            bytes32 digest = router().redemptionDigest(
                account,
                amount,
                router().nonces(account),
                block.timestamp
            );
            Voucher memory voucher = Voucher(
                account,
                amount,
                block.timestamp,
                signatureOf(OPERATOR_KEY, digest)
            );
            vouchers.push(voucher);
            demand(send(voucher, account), "what is available is paid");
            succeeded(this.redeem.selector);
            return;
        }
    }

    /// @dev Anyone sends any signature that was ever given out, as often as it likes.
    function resend(uint256 which, uint256 who) external {
        if (vouchers.length == 0) return;
        Voucher memory voucher = vouchers[which % vouchers.length];
        send(voucher, who % 4 == 0 ? accounts[(who / 4) % 4] : voucher.account);
        succeeded(this.resend.selector);
    }

    function send(Voucher memory voucher, address caller) internal returns (bool) {
        uint256 nonce = router().nonces(caller);
        uint256 before = usdt.balanceOf(caller);
        vm.prank(caller);
        try router().redeemReward(voucher.amount, voucher.deadline, voucher.signature) {
            demand(caller == voucher.account, "a signature is its account's");
            demand(block.timestamp <= voucher.deadline, "paid in time");
            demand(router().nonces(caller) == nonce + 1, "the nonce rises by one");
            demand(usdt.balanceOf(caller) - before == voucher.amount, "exactly the amount");
            demand(++uses[keccak256(voucher.signature)] == 1, "a signature works once");
            ++redemptions[caller];
            paid[caller] += voucher.amount;
            return true;
        } catch (bytes memory reason) {
            if (bytes4(reason) != RewardRouter.AmountHeld.selector) {
                allow(
                    reason,
                    RewardRouter.InvalidSigner.selector,
                    RewardRouter.AmountExceedsSettled.selector,
                    RewardRouter.SignatureExpired.selector
                );
            }
            return false;
        }
    }

    function hold(uint256 who, uint256 amount) external {
        address account = accounts[who % 4];
        uint256 unclaimed = router().settled(account) - router().claimed(account);
        amount = bound(amount, 0, unclaimed);
        vm.prank(amount > router().held(account) ? guardian : council);
        router().setHold(account, amount);
        succeeded(this.hold.selector);
    }

    function withdrawSurplus(uint256 amount) external {
        uint256 balance = usdt.balanceOf(address(router()));
        try router().withdrawSurplus(cold, bound(amount, 0, balance / 50)) {
            succeeded(this.withdrawSurplus.selector);
        } catch (bytes memory reason) {
            allow(reason, RewardRouter.PoolUnderfunded.selector);
        }
        usdt.mint(address(router()), 20_000e6);
    }

    function trespass(uint256 which, uint256 what) external {
        address[4] memory callers = [accounts[0], operator, cold, guardian];
        address caller = callers[which % 4];
        (address[] memory users, uint256[] memory totals) = batch(accounts[0], 5);
        bytes[9] memory calls = [
            abi.encodeCall(RewardRouter.batchSettleRewards, (users, totals)),
            abi.encodeCall(RewardRouter.setSettler, (accounts[1])),
            abi.encodeCall(RewardRouter.setColdWallet, (accounts[1])),
            abi.encodeCall(RewardRouter.setRedemptionMax, (1)),
            abi.encodeCall(RewardRouter.setSettlementLimit, (type(uint128).max, 1)),
            abi.encodeCall(RewardRouter.lowerSettlementLimit, (type(uint128).max)),
            abi.encodeCall(RewardRouter.withdrawSurplus, (caller, 0)),
            abi.encodeCall(RewardRouter.retire, (address(router()))),
            abi.encodeCall(Guarded.unpause, ())
        ];
        demandRefusal(caller, address(router()), calls[what % 9], "no role, no change");
        succeeded(this.trespass.selector);
    }

    function passTime(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 12 hours));
        succeeded(this.passTime.selector);
    }

    function succeedRouter(uint256 chance) external {
        if (chance % 4 != 0 && successes[this.succeedRouter.selector] > 0) return;
        RewardRouter before = router();
        RewardRouter next = newRouter(usdt, address(before));
        next.setSettlementLimit(uint128(3 * AMOUNT_MAX), 1 days);
        before.pause();
        before.retire(address(next));
        routers.push(next);
        demand(usdt.balanceOf(address(before)) == 0, "the pool came along");
        succeeded(this.succeedRouter.selector);
    }

    function batch(
        address account,
        uint256 total
    ) internal pure returns (address[] memory users, uint256[] memory totals) {
        users = new address[](1);
        totals = new uint256[](1);
        (users[0], totals[0]) = (account, total);
    }
}

contract RewardRouterInvariantTest is ActorRun {
    RouterActors internal all;

    function setUp() public {
        vm.warp(1_800_000_000);
        all = new RouterActors();
    }

    function actors() internal view override returns (ActorBase) {
        return all;
    }

    function actions() internal view override returns (bytes4[] memory list) {
        list = new bytes4[](9);
        list[0] = all.settle.selector;
        list[1] = all.request.selector;
        list[2] = all.redeem.selector;
        list[3] = all.resend.selector;
        list[4] = all.hold.selector;
        list[5] = all.withdrawSurplus.selector;
        list[6] = all.trespass.selector;
        list[7] = all.passTime.selector;
        list[8] = all.succeedRouter.selector;
    }

    function invariant_claimedAndHeldNeverPassSettled() public view {
        requireNoViolation();
        RewardRouter router = all.router();
        uint256 settledSum = 0;
        uint256 claimedSum = 0;
        uint256 heldSum = 0;
        for (uint256 i = 0; i < 4; ++i) {
            address account = all.accounts(i);
            (uint256 settled, uint256 claimed) = (
                router.settled(account),
                router.claimed(account)
            );
            assertTrue(settled >= claimed + router.held(account), "settled >= claimed + held");
            assertEq(claimed, all.paid(account), "claimed is what all routers paid");
            assertEq(all.usdt().balanceOf(account), all.paid(account), "balance is what was paid");
            assertTrue(claimed <= all.highest(account), "paid <= the highest total");
            assertEq(router.nonces(account), all.redemptions(account), "one nonce a redemption");
            settledSum += settled;
            claimedSum += claimed;
            heldSum += router.held(account);
        }
        assertEq(router.totalSettled(), settledSum, "sum of settled");
        assertEq(router.totalClaimed(), claimedSum, "sum of claimed");
        assertEq(router.totalHeld(), heldSum, "sum of held");
    }

    function invariant_poolCoversWhatCanBeRedeemed() public view {
        RewardRouter router = all.router();
        uint256 owed = router.totalSettled() - router.totalClaimed() - router.totalHeld();
        assertTrue(all.usdt().balanceOf(address(router)) >= owed, "pool >= owed");
    }
}
