// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {ActorBase, ActorRun} from "./support/ActorBase.sol";
import {HostileToken} from "./support/HostileToken.sol";

/// @dev Users, a thief with the signer's key, guardians, council, cold wallet and owner (this
/// contract) on a line of vaults. One token is honest, the other has every bad habit in turn.
contract VaultActors is ActorBase {
    uint256 internal constant UNIT = 1e6;

    enum State {
        Unknown,
        Paid,
        Queued,
        Cancelled
    }

    struct Outflow {
        uint256 time;
        uint256 amount;
    }

    struct Voucher {
        address vault;
        address account;
        address token;
        uint256 amount;
        uint256 nonce;
        uint256 deadline;
        bytes signature;
    }

    SpotVault[] public vaults;
    address[2] public tokens;
    HostileToken internal hostile;
    address[3] public accounts = [address(0xACC1), address(0xACC2), address(0xACC3)];
    uint256 internal key = 0xA11CE;

    mapping(address vault => mapping(address token => uint256)) public came;
    mapping(address vault => mapping(address token => uint256)) public went;
    mapping(address account => mapping(uint256 nonce => State)) public states;
    mapping(address account => uint256) public releases;
    mapping(address account => uint256) public deposits;
    mapping(address vault => mapping(uint256 id => uint256)) internal nonceOf;
    mapping(address vault => mapping(address token => Outflow[])) internal outflows;
    Voucher[] internal used;

    constructor() {
        TestUSDT usdt = new TestUSDT();
        hostile = new HostileToken();
        tokens = [address(usdt), address(hostile)];
        open(address(0));
    }

    function vault() public view returns (SpotVault) {
        return vaults[vaults.length - 1];
    }

    function vaultCount() external view returns (uint256) {
        return vaults.length;
    }

    function open(address predecessor) internal {
        address[] memory list = new address[](2);
        (list[0], list[1]) = (tokens[0], tokens[1]);
        SpotVault next = newVault(list, predecessor);
        vaults.push(next);
        if (next.operator() != vm.addr(key)) {
            vm.prank(council);
            next.setOperator(vm.addr(key));
        }
        for (uint256 i = 0; i < 2; ++i) {
            next.setLimit(tokens[i], bounded(UNIT));
            TestUSDT(tokens[i]).mint(address(this), 400 * UNIT);
            TestUSDT(tokens[i]).approve(address(next), type(uint256).max);
            next.refill(tokens[i], 400 * UNIT);
            came[address(next)][tokens[i]] += next.accounted(tokens[i]);
        }
    }

    function deposit(uint256 who, uint256 which, uint256 amount) external {
        address account = accounts[who % 3];
        address token = tokens[which % 2];
        amount = bound(amount, 10, 50 * UNIT);
        TestUSDT(token).mint(account, amount);
        uint256 number = vault().depositCount(account);
        uint256 before = vault().accounted(token);
        vm.startPrank(account);
        ERC20(token).approve(address(vault()), amount);
        try vault().deposit(token, amount) {
            demand(number == deposits[account]++, "a deposit's number is the count before it");
            came[address(vault())][token] += vault().accounted(token) - before;
            succeeded(this.deposit.selector);
        } catch (bytes memory reason) {
            allowToken(reason);
        }
        vm.stopPrank();
    }

    function refill(uint256 which, uint256 amount) external {
        bring(tokens[which % 2], bound(amount, 10, 200 * UNIT));
    }

    function bring(address token, uint256 amount) internal {
        TestUSDT(token).mint(address(this), amount);
        uint256 before = vault().accounted(token);
        try vault().refill(token, amount) {
            came[address(vault())][token] += vault().accounted(token) - before;
            succeeded(this.refill.selector);
        } catch (bytes memory reason) {
            allowToken(reason);
        }
    }

    /// @dev Any amount, from anyone: honest or the thief who has the key.
    function release(uint256 who, uint256 which, uint256 amount) external {
        amount = bound(amount, 1, amount % 3 == 0 ? 60 * UNIT : 10 * UNIT);
        request(accounts[who % 3], tokens[which % 2], amount);
    }

    function request(address account, address token, uint256 amount) internal {
        Voucher memory voucher;
        voucher.vault = address(vault());
        voucher.account = account;
        voucher.token = token;
        voucher.amount = amount;
        voucher.nonce = vault().releaseNonce(voucher.account);
        voucher.deadline = block.timestamp + 1 hours;
        voucher.signature = signatureOf(
            key,
            vault().releaseDigest(
                voucher.account,
                voucher.token,
                voucher.amount,
                voucher.nonce,
                voucher.deadline
            )
        );
        send(voucher);
    }

    function send(Voucher memory voucher) internal {
        uint256 before = vault().accounted(voucher.token);
        uint256 queueId = vault().nextQueueId();
        vm.prank(voucher.account);
        try
            vault().release(
                voucher.token,
                voucher.amount,
                voucher.nonce,
                voucher.deadline,
                voucher.signature
            )
        {
            bool isQueued = vault().nextQueueId() != queueId;
            State current = states[voucher.account][voucher.nonce];
            demand(current == State.Unknown, "a nonce is spent once");
            states[voucher.account][voucher.nonce] = isQueued ? State.Queued : State.Paid;
            demand(voucher.nonce == releases[voucher.account]++, "nonces rise by one");
            if (isQueued) {
                nonceOf[address(vault())][queueId] = voucher.nonce;
                demand(before == vault().accounted(voucher.token), "the queue pays nothing");
            } else {
                demand(
                    before - vault().accounted(voucher.token) == voucher.amount,
                    "exactly the amount is paid"
                );
                went[address(vault())][voucher.token] += voucher.amount;
                outflows[address(vault())][voucher.token].push(
                    Outflow(block.timestamp, voucher.amount)
                );
            }
            used.push(voucher);
            succeeded(this.release.selector);
        } catch (bytes memory reason) {
            allowToken(reason);
        }
    }

    /// @dev Sends a signature again that was taken once.
    function replay(uint256 which) external {
        if (used.length == 0) return;
        Voucher memory voucher = used[which % used.length];
        demandRefusal(
            voucher.account,
            address(vault()),
            abi.encodeCall(
                SpotVault.release,
                (
                    voucher.token,
                    voucher.amount,
                    voucher.nonce,
                    voucher.deadline,
                    voucher.signature
                )
            ),
            "a signature works once"
        );
        succeeded(this.replay.selector);
    }

    /// @dev One of the releases that wait, after adding one if it is due; 0 for none.
    function waiting(uint256 which, bool due) internal returns (uint256) {
        if (due) request(accounts[1], tokens[0], 60 * UNIT);
        uint256 count = vault().nextQueueId() - 1;
        for (uint256 i = 0; i < count; ++i) {
            uint256 id = 1 + ((which % count) + i) % count;
            if (vault().isQueued(id)) return id;
        }
        return 0;
    }

    function payQueued(uint256 which) external {
        bool due = isDue(this.payQueued.selector, which);
        uint256 id = waiting(which, due);
        // What is not queued has to be refused.
        demandRefusal(
            address(this),
            address(vault()),
            abi.encodeCall(SpotVault.payQueued, (vault().nextQueueId())),
            "what was never queued is not paid"
        );
        if (id == 0) return;
        SpotVault.QueuedRelease memory entry = vault().queuedRelease(id);
        if (due && block.timestamp < entry.payableAt) vm.warp(entry.payableAt);
        uint256 before = vault().accounted(entry.token);
        try vault().payQueued(id) {
            demand(block.timestamp >= entry.payableAt, "a queued release has waited");
            uint256 nonce = nonceOf[address(vault())][id];
            demand(states[entry.account][nonce] == State.Queued, "paid from the queue once");
            states[entry.account][nonce] = State.Paid;
            demand(before - vault().accounted(entry.token) == entry.amount, "amount");
            went[address(vault())][entry.token] += entry.amount;
            succeeded(this.payQueued.selector);
        } catch (bytes memory reason) {
            if (bytes4(reason) == SpotVault.NotPayableYet.selector) return;
            if (bytes4(reason) != SpotVault.NotFunded.selector) allowToken(reason);
        }
    }

    function cancelQueued(uint256 which) external {
        uint256[] memory ids = new uint256[](2);
        ids[0] = waiting(which, isDue(this.cancelQueued.selector, which));
        ids[1] = 1 + (which % vault().nextQueueId());
        bool[2] memory wasQueued = [vault().isQueued(ids[0]), vault().isQueued(ids[1])];
        address[2] memory owners = [
            vault().queuedRelease(ids[0]).account,
            vault().queuedRelease(ids[1]).account
        ];
        vm.prank(which % 2 == 0 ? guardian : council);
        vault().cancelQueued(ids);
        for (uint256 i = 0; i < 2; ++i) {
            if (!wasQueued[i] || (i == 1 && ids[0] == ids[1])) continue;
            uint256 nonce = nonceOf[address(vault())][ids[i]];
            demand(states[owners[i]][nonce] == State.Queued, "cancelled once");
            states[owners[i]][nonce] = State.Cancelled;
            succeeded(this.cancelQueued.selector);
        }
    }

    /// @dev The thief is found: the key is void, another one takes over.
    function voidSigner() external {
        vm.prank(guardian);
        vault().voidSigner(vm.addr(key));
        demand(vault().paused(), "voiding the operator pauses");
        demand(vault().queuedTotal(tokens[0]) == 0, "nothing of it waits");
        ++key;
        vm.startPrank(council);
        vault().setOperator(vm.addr(key));
        vault().unpause();
        vm.stopPrank();
        succeeded(this.voidSigner.selector);
    }

    function tighten(uint256 which, uint256 percent) external {
        address token = tokens[which % 2];
        SpotVault.Limits memory current = vault().limits(token);
        percent = bound(percent, 50, 100);
        vm.prank(guardian);
        vault().lowerLimit(
            token,
            uint128((current.instantMax * percent) / 100),
            uint128((current.windowMax * percent) / 100),
            current.delay
        );
        succeeded(this.tighten.selector);
    }

    function loosen(uint256 which) external {
        vault().setLimit(tokens[which % 2], bounded(UNIT));
        succeeded(this.loosen.selector);
    }

    function sweep(uint256 which, uint256 amount) external {
        address token = tokens[which % 2];
        uint256 queued = vault().queuedTotal(token);
        uint256 before = vault().accounted(token);
        if (isDue(this.sweep.selector, amount) && before <= 500 * UNIT + queued) {
            bring(token, 500 * UNIT + queued + 10 - before);
            before = vault().accounted(token);
        }
        try vault().sweep(token) {
            demand(before > 500 * UNIT + queued, "only above the high mark");
            uint256 left = vault().accounted(token);
            demand(left >= 300 * UNIT + queued, "floor and queue stay");
            went[address(vault())][token] += before - left;
            succeeded(this.sweep.selector);
        } catch (bytes memory reason) {
            if (bytes4(reason) == SpotVault.BelowHighMark.selector) {
                demand(before <= 500 * UNIT + queued, "above the high mark it goes");
            } else {
                allowToken(reason);
            }
        }
        if (amount % 4 == 0) {
            before = vault().accounted(token);
            vm.prank(cold);
            try vault().evacuate(token) {
                went[address(vault())][token] += before - vault().accounted(token);
            } catch (bytes memory reason) {
                if (bytes4(reason) != SpotVault.ZeroAmount.selector) allowToken(reason);
            }
        }
    }

    /// @dev Gives the hostile token another habit.
    function misbehave(uint256 habit) external {
        hostile.keepFee(habit % 6 == 0 ? 1_000 : 0);
        hostile.freeze(habit % 6 == 1);
        hostile.blacklist(accounts[0], habit % 6 == 2);
        hostile.answer(HostileToken.Answer(habit % 6 == 3 ? 1 : habit % 6 == 4 ? 2 : 0));
        if (habit % 6 == 5) {
            hostile.callBack(
                address(vault()),
                abi.encodeCall(SpotVault.payQueued, (1 + (habit % vault().nextQueueId())))
            );
        }
        succeeded(this.misbehave.selector);
    }

    /// @dev A caller without the role is refused, whatever it asks.
    function trespass(uint256 which, uint256 what) external {
        address[4] memory callers = [accounts[0], vm.addr(key), cold, guardian];
        address caller = callers[which % 4];
        bytes[9] memory calls = [
            abi.encodeCall(SpotVault.setLimit, (tokens[0], unlimited())),
            abi.encodeCall(SpotVault.setTokenSupport, (tokens[0], false)),
            abi.encodeCall(SpotVault.setColdWallet, (caller)),
            abi.encodeCall(SpotVault.rescueSurplus, (tokens[0], caller, 0)),
            abi.encodeCall(SpotVault.retire, ()),
            abi.encodeWithSignature("setOperator(address)", accounts[1]),
            abi.encodeWithSignature("setGuardian(address,bool)", accounts[1], true),
            abi.encodeWithSignature("unpause()"),
            abi.encodeCall(
                SpotVault.lowerLimit,
                (tokens[0], type(uint128).max, type(uint128).max, 0)
            )
        ];
        demandRefusal(caller, address(vault()), calls[what % 9], "no role, no change");
        succeeded(this.trespass.selector);
    }

    function passTime(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 8 hours));
        succeeded(this.passTime.selector);
    }

    function succeedVault(uint256 chance) external {
        if (chance % 4 != 0 && successes[this.succeedVault.selector] > 0) return;
        SpotVault before = vault();
        before.pause();
        before.retire();
        hostile.freeze(false);
        hostile.keepFee(0);
        hostile.answer(HostileToken.Answer.True);
        open(address(before));
        succeeded(this.succeedVault.selector);
    }

    /// @dev The maximum that a vault paid at once within any period that begins with a payment.
    function mostPaidWithin(
        address from,
        address token,
        uint256 period
    ) external view returns (uint256 most) {
        Outflow[] storage list = outflows[from][token];
        for (uint256 i = 0; i < list.length; ++i) {
            uint256 sum = 0;
            for (uint256 j = i; j < list.length; ++j) {
                if (list[j].time >= list[i].time + period) break;
                sum += list[j].amount;
            }
            if (sum > most) most = sum;
        }
    }

    function allowToken(bytes memory reason) internal pure {
        allow(
            reason,
            HostileToken.Frozen.selector,
            HostileToken.Blacklisted.selector,
            SafeERC20.SafeERC20FailedOperation.selector
        );
    }
}

contract SpotVaultInvariantTest is ActorRun {
    VaultActors internal all;

    function setUp() public {
        vm.warp(1_800_000_000);
        all = new VaultActors();
    }

    function actors() internal view override returns (ActorBase) {
        return all;
    }

    function actions() internal view override returns (bytes4[] memory list) {
        list = new bytes4[](14);
        list[0] = all.deposit.selector;
        list[1] = all.refill.selector;
        list[2] = all.release.selector;
        list[3] = all.replay.selector;
        list[4] = all.payQueued.selector;
        list[5] = all.cancelQueued.selector;
        list[6] = all.voidSigner.selector;
        list[7] = all.tighten.selector;
        list[8] = all.loosen.selector;
        list[9] = all.sweep.selector;
        list[10] = all.misbehave.selector;
        list[11] = all.trespass.selector;
        list[12] = all.passTime.selector;
        list[13] = all.succeedVault.selector;
    }

    function invariant_theBooksAreCovered() public view {
        requireNoViolation();
        for (uint256 i = 0; i < all.vaultCount(); ++i) {
            SpotVault vault = all.vaults(i);
            for (uint256 j = 0; j < 2; ++j) {
                address token = all.tokens(j);
                uint256 accounted = vault.accounted(token);
                assertTrue(
                    ERC20(token).balanceOf(address(vault)) >= accounted,
                    "balance >= accounted"
                );
                assertEq(
                    accounted + all.went(address(vault), token),
                    all.came(address(vault), token),
                    "deposits + refills - paid - swept"
                );
            }
        }
    }

    function invariant_numbersAreThoseOfAllVaults() public view {
        for (uint256 i = 0; i < 3; ++i) {
            address account = all.accounts(i);
            assertEq(all.vault().releaseNonce(account), all.releases(account), "releases");
            assertEq(all.vault().depositCount(account), all.deposits(account), "deposits");
        }
    }

    function invariant_noThiefIsQuick() public view {
        // A successor begins with its own window.
        for (uint256 i = 0; i < all.vaultCount(); ++i) {
            address vault = address(all.vaults(i));
            for (uint256 j = 0; j < 2; ++j) {
                address token = all.tokens(j);
                assertTrue(all.mostPaidWithin(vault, token, 1) <= 100e6, "a block at most W");
                assertTrue(
                    all.mostPaidWithin(vault, token, 1 days) <= 200e6,
                    "a day at most 2 W"
                );
            }
        }
    }
}
