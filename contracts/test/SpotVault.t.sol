// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestDF} from "../src/TestDF.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {HostileToken} from "./support/HostileToken.sol";
import {RoleBase} from "./support/RoleBase.sol";

contract SpotVaultTest is RoleBase {
    uint256 internal constant NOW = 1_800_000_000;
    uint256 internal constant DEADLINE = NOW + 1 hours;

    TestDF internal df;
    TestUSDT internal usdt;
    HostileToken internal hostile;
    SpotVault internal vault;

    event Deposited(
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 number
    );
    event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce);

    function setUp() public {
        vm.warp(NOW);
        df = new TestDF();
        usdt = new TestUSDT();
        hostile = new HostileToken();
        address[] memory tokens = new address[](3);
        (tokens[0], tokens[1], tokens[2]) = (address(df), address(usdt), address(hostile));
        vault = newVault(tokens, address(0));
        df.mint(address(this), 1_000e18);
        df.approve(address(vault), type(uint256).max);
        vault.refill(address(df), 1_000e18);
        hostile.mint(address(this), 1_000e18);
        hostile.approve(address(vault), type(uint256).max);
        vault.refill(address(hostile), 1_000e18);
    }

    function signed(
        address account,
        address token,
        uint256 amount,
        uint256 nonce
    ) internal view returns (bytes memory) {
        return
            signatureOf(
                OPERATOR_KEY,
                vault.releaseDigest(account, token, amount, nonce, DEADLINE)
            );
    }

    function expectInvalidSigner(address caller, uint256 amount, bytes memory signature) internal {
        vm.prank(caller);
        vm.expectPartialRevert(SpotVault.InvalidSigner.selector);
        vault.release(address(df), amount, 0, DEADLINE, signature);
    }

    // Deposits

    function testFuzz_depositsAreNumberedByAccount(uint128 first, uint128 second) public {
        vm.assume(first > 0 && second > 0);
        df.mint(alice, uint256(first) + second);
        vm.prank(alice);
        df.approve(address(vault), type(uint256).max);
        uint128[2] memory amounts = [first, second];
        for (uint256 number = 0; number < 2; ++number) {
            vm.expectEmit(true, true, false, true, address(vault));
            emit Deposited(alice, address(df), amounts[number], number);
            vm.prank(alice);
            vault.deposit(address(df), amounts[number]);
        }
        assertEq(vault.depositCount(alice), 2, "deposits");
        assertEq(vault.depositCount(bob), 0, "deposits of another account");
        assertEq(df.balanceOf(address(vault)), 1_000e18 + uint256(first) + second, "vault");
    }

    function test_depositOfNothingIsRefused() public {
        vm.expectRevert(SpotVault.ZeroAmount.selector);
        vault.deposit(address(df), 0);
    }

    function test_unknownTokenIsRefused() public {
        TestDF other = new TestDF();
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.TokenNotSupported.selector, address(other))
        );
        vault.deposit(address(other), 1);
        vault.setTokenSupport(address(other), true);
        other.mint(address(this), 1);
        other.approve(address(vault), 1);
        vault.deposit(address(other), 1);
        assertEq(other.balanceOf(address(vault)), 1, "deposited once supported");
        assertTrue(vault.isSupported(address(other)), "supported");
        assertEq(vault.supportedTokens().length, 4, "tokens");
        vault.setTokenSupport(address(df), false);
        assertEq(vault.supportedTokens().length, 3, "tokens");
        assertTrue(!vault.isSupported(address(df)), "no longer supported");
    }

    function test_depositCreditsWhatArrives() public {
        hostile.mint(alice, 100);
        hostile.keepFee(1_000);
        vm.prank(alice);
        hostile.approve(address(vault), 100);
        vm.expectEmit(true, true, false, true, address(vault));
        emit Deposited(alice, address(hostile), 90, 0);
        vm.prank(alice);
        vault.deposit(address(hostile), 100);
    }

    function test_depositWithinDepositIsRefused() public {
        hostile.mint(alice, 100);
        vm.prank(alice);
        hostile.approve(address(vault), 100);
        hostile.callBack(
            address(vault),
            abi.encodeCall(SpotVault.deposit, (address(hostile), 1))
        );
        vm.prank(alice);
        vault.deposit(address(hostile), 100);
        assertEq(
            bytes32(hostile.callbackResult()),
            bytes32(ReentrancyGuard.ReentrancyGuardReentrantCall.selector),
            "refused by the guard"
        );
        assertEq(vault.depositCount(alice), 1, "deposits");
    }

    // Releases

    function testFuzz_releasePaysExactlyOnceInTurn(uint256 amount) public {
        amount = bound(amount, 1, 500e18);
        for (uint256 nonce = 0; nonce < 2; ++nonce) {
            bytes memory signature = signed(alice, address(df), amount, nonce);
            vm.expectEmit(true, true, false, true, address(vault));
            emit Released(alice, address(df), amount, nonce);
            vm.prank(alice);
            vault.release(address(df), amount, nonce, DEADLINE, signature);
            assertEq(df.balanceOf(alice), amount * (nonce + 1), "paid");
            assertEq(vault.releaseNonce(alice), nonce + 1, "next nonce");
        }
    }

    function testFuzz_nonceOutOfTurnIsRefused(uint256 nonce) public {
        vm.assume(nonce != 0);
        bytes memory signature = signed(alice, address(df), 1e18, nonce);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(SpotVault.InvalidNonce.selector, alice, 0, nonce)
        );
        vault.release(address(df), 1e18, nonce, DEADLINE, signature);
        assertEq(vault.releaseNonce(alice), 0, "a refused release leaves the nonce");
    }

    function test_signatureWorksOnce() public {
        bytes memory signature = signed(alice, address(df), 1e18, 0);
        vm.prank(alice);
        vault.release(address(df), 1e18, 0, DEADLINE, signature);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(SpotVault.InvalidNonce.selector, alice, 1, 0));
        vault.release(address(df), 1e18, 0, DEADLINE, signature);
        // Nor does it serve as the signature of the next nonce.
        vm.prank(alice);
        vm.expectPartialRevert(SpotVault.InvalidSigner.selector);
        vault.release(address(df), 1e18, 1, DEADLINE, signature);
    }

    function test_signatureWorksForOneAccount() public {
        expectInvalidSigner(bob, 1e18, signed(alice, address(df), 1e18, 0));
    }

    function test_signatureWorksForOneToken() public {
        expectInvalidSigner(alice, 1e18, signed(alice, address(usdt), 1e18, 0));
    }

    function testFuzz_signatureWorksForOneAmount(uint256 amount) public {
        vm.assume(amount != 1e18 && amount != 0);
        expectInvalidSigner(alice, amount, signed(alice, address(df), 1e18, 0));
    }

    function test_signatureWorksOnOneChain() public {
        bytes memory signature = signed(alice, address(df), 1e18, 0);
        vm.chainId(1);
        expectInvalidSigner(alice, 1e18, signature);
    }

    function test_signatureWorksOnOneContract() public {
        SpotVault other = newVault(new address[](0), address(0));
        bytes memory signature = signed(alice, address(df), 1e18, 0);
        vm.prank(alice);
        vm.expectPartialRevert(SpotVault.InvalidSigner.selector);
        other.release(address(df), 1e18, 0, DEADLINE, signature);
    }

    function test_rewardSignatureReleasesNothing() public {
        // The same name, version and chain, and even the same address in the domain: the type of
        // the struct alone keeps a reward from being a release.
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256(
                    "RedeemReward(address account,uint256 value,uint256 nonce,uint256 deadline)"
                ),
                alice,
                1e18,
                0,
                DEADLINE
            )
        );
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("SpotVault"),
                keccak256("1"),
                block.chainid,
                address(vault)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", domain, structHash));
        expectInvalidSigner(alice, 1e18, signatureOf(OPERATOR_KEY, digest));
    }

    function test_strangersSignatureIsRefused() public {
        bytes32 digest = vault.releaseDigest(alice, address(df), 1e18, 0, DEADLINE);
        expectInvalidSigner(alice, 1e18, signatureOf(STRANGER_KEY, digest));
    }

    function test_malleatedSignaturesAreRefused() public {
        bytes32 digest = vault.releaseDigest(alice, address(df), 1e18, 0, DEADLINE);
        bytes memory high = highSignatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectPartialRevert(ECDSA.ECDSAInvalidSignatureS.selector);
        vault.release(address(df), 1e18, 0, DEADLINE, high);
        bytes memory compact = compactSignatureOf(OPERATOR_KEY, digest);
        vm.prank(alice);
        vm.expectRevert(
            abi.encodeWithSelector(ECDSA.ECDSAInvalidSignatureLength.selector, 64)
        );
        vault.release(address(df), 1e18, 0, DEADLINE, compact);
    }

    function test_releaseOnTheLastSecondAndNotAfter() public {
        bytes memory signature = signed(alice, address(df), 1e18, 0);
        vm.warp(DEADLINE + 1);
        vm.prank(alice);
        vm.expectRevert(abi.encodeWithSelector(SpotVault.SignatureExpired.selector, DEADLINE));
        vault.release(address(df), 1e18, 0, DEADLINE, signature);
        vm.warp(DEADLINE);
        vm.prank(alice);
        vault.release(address(df), 1e18, 0, DEADLINE, signature);
        assertEq(df.balanceOf(alice), 1e18, "paid");
    }

    function test_releaseOfNothingIsRefused() public {
        bytes memory signature = signed(alice, address(df), 0, 0);
        vm.prank(alice);
        vm.expectRevert(SpotVault.ZeroAmount.selector);
        vault.release(address(df), 0, 0, DEADLINE, signature);
    }

    function test_reentrantReleaseIsRefused() public {
        address account = address(hostile);
        bytes memory inner = signed(account, address(hostile), 5, 1);
        hostile.callBack(
            address(vault),
            abi.encodeCall(SpotVault.release, (address(hostile), 5, 1, DEADLINE, inner))
        );
        bytes memory outer = signed(account, address(hostile), 5, 0);
        vm.prank(account);
        vault.release(address(hostile), 5, 0, DEADLINE, outer);
        assertEq(
            bytes32(hostile.callbackResult()),
            bytes32(ReentrancyGuard.ReentrancyGuardReentrantCall.selector),
            "refused by the guard"
        );
        assertEq(vault.releaseNonce(account), 1, "released once");
    }

    function test_pauseStopsMoney() public {
        bytes memory signature = signed(alice, address(df), 1e18, 0);
        vault.pause();
        vm.prank(alice);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.release(address(df), 1e18, 0, DEADLINE, signature);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        vault.deposit(address(df), 1);
    }

    function test_onlyOwnerConfigures() public {
        vm.prank(operator);
        vm.expectRevert(
            abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, operator)
        );
        vault.setTokenSupport(address(df), false);
    }

    event TokenSupportChanged(address indexed token, bool supported);

    function test_supportIsToldWhenItChanges() public {
        vm.expectEmit(true, false, false, true, address(vault));
        emit TokenSupportChanged(address(df), false);
        vault.setTokenSupport(address(df), false);
        vm.recordLogs();
        vault.setTokenSupport(address(df), false);
        assertEq(vm.getRecordedLogs().length, 0, "nothing changes, no event");
        vm.expectEmit(true, false, false, true, address(vault));
        emit TokenSupportChanged(address(df), true);
        vault.setTokenSupport(address(df), true);
    }

    /// @dev The digest as a wallet makes it, from the words of the type.
    function test_theDigestIsThatOfTheTypedData() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("SpotVault"),
                keccak256("1"),
                block.chainid,
                address(vault)
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "VaultRelease(address account,address token,uint256 value,uint256 nonce,uint256 deadline)"
                ),
                alice,
                address(df),
                uint256(7),
                uint256(8),
                uint256(9)
            )
        );
        assertEq(
            vault.releaseDigest(alice, address(df), 7, 8, 9),
            keccak256(abi.encodePacked(hex"1901", domain, message)),
            "digest"
        );
    }
}
