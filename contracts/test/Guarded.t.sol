// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {Guarded} from "../src/Guarded.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {RoleBase} from "./support/RoleBase.sol";

contract GuardedTest is RoleBase {
    SpotVault internal vault;
    RewardRouter internal router;

    event OperatorChanged(address indexed previousOperator, address indexed newOperator);
    event CouncilChanged(address indexed previousCouncil, address indexed newCouncil);
    event GuardianChanged(address indexed guardian, bool wasGuardian, bool guards);
    event SettlerChanged(address indexed previousSettler, address indexed newSettler);
    event ColdWalletChanged(address indexed previousWallet, address indexed newWallet);
    event Retired();

    function setUp() public {
        vault = newVault(new address[](0), address(0));
        router = newRouter(new TestUSDT(), address(0));
    }

    function expectInvalidRole(address candidate) internal {
        vm.expectRevert(abi.encodeWithSelector(Guarded.InvalidRole.selector, candidate));
    }

    function expectNotCouncil(address caller) internal {
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(Guarded.NotCouncil.selector, caller));
    }

    function expectNotOwner(address caller) internal {
        vm.prank(caller);
        vm.expectRevert(
            abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, caller)
        );
    }

    function test_rolesAreAsConstructed() public view {
        assertEq(vault.owner(), address(this), "owner");
        assertEq(vault.council(), council, "council");
        assertEq(vault.operator(), operator, "operator");
        assertTrue(vault.isGuardian(guardian), "guardian");
        assertEq(vault.coldWallet(), cold, "cold wallet");
        assertEq(router.settler(), settler, "settler");
        assertEq(router.coldWallet(), cold, "router's cold wallet");
    }

    function test_guardianIsOptional() public {
        SpotVault other = new SpotVault(
            new address[](0),
            Guarded.Roles(address(this), council, address(0), operator),
            address(0),
            address(0),
            "SpotVault"
        );
        assertTrue(!other.isGuardian(address(0)), "nobody guards");
        assertEq(other.coldWallet(), address(0), "no cold wallet");
    }

    function test_councilNamesTheKeys() public {
        vm.expectEmit(true, true, false, true, address(vault));
        emit OperatorChanged(operator, alice);
        vm.prank(council);
        vault.setOperator(alice);
        assertEq(vault.operator(), alice, "operator");
        vm.expectEmit(true, false, false, true, address(vault));
        emit GuardianChanged(bob, false, true);
        vm.prank(council);
        vault.setGuardian(bob, true);
        assertTrue(vault.isGuardian(bob), "guardian");
        vm.expectEmit(true, false, false, true, address(vault));
        emit GuardianChanged(bob, true, false);
        vm.prank(council);
        vault.setGuardian(bob, false);
        assertTrue(!vault.isGuardian(bob), "guardian no more");
        vm.expectEmit(true, true, false, true, address(router));
        emit SettlerChanged(settler, alice);
        vm.prank(council);
        router.setSettler(alice);
        assertEq(router.settler(), alice, "settler");
    }

    function test_nobodyElseNamesTheKeys() public {
        address[5] memory others = [address(this), guardian, operator, cold, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            expectNotCouncil(others[i]);
            vault.setOperator(alice);
            expectNotCouncil(others[i]);
            vault.setGuardian(alice, true);
            expectNotCouncil(others[i]);
            router.setSettler(alice);
        }
    }

    function test_ownerNamesCouncilAndColdWallet() public {
        vm.expectEmit(true, true, false, true, address(vault));
        emit CouncilChanged(council, alice);
        vault.setCouncil(alice);
        assertEq(vault.council(), alice, "council");
        vm.expectEmit(true, true, false, true, address(vault));
        emit ColdWalletChanged(cold, bob);
        vault.setColdWallet(bob);
        assertEq(vault.coldWallet(), bob, "cold wallet");
        vm.expectEmit(true, true, false, true, address(router));
        emit ColdWalletChanged(cold, bob);
        router.setColdWallet(bob);
        assertEq(router.coldWallet(), bob, "router's cold wallet");
    }

    function test_nobodyElseNamesCouncilAndColdWallet() public {
        address[5] memory others = [council, guardian, operator, cold, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            expectNotOwner(others[i]);
            vault.setCouncil(alice);
            expectNotOwner(others[i]);
            vault.setColdWallet(alice);
            expectNotOwner(others[i]);
            router.setColdWallet(alice);
            expectNotOwner(others[i]);
            router.setSettlementLimit(1, 1);
            expectNotOwner(others[i]);
            vault.setLimit(address(0), unlimited());
            expectNotOwner(others[i]);
            vault.rescueSurplus(address(0), alice, 0);
            expectNotOwner(others[i]);
            vault.retire();
            expectNotOwner(others[i]);
            router.retire(address(vault));
            expectNotOwner(others[i]);
            router.withdrawSurplus(alice, 0);
            expectNotOwner(others[i]);
            router.setRedemptionMax(1);
        }
    }

    function test_noAddressHoldsTwoHotRoles() public {
        address[7] memory taken = [
            address(0),
            operator,
            settler,
            guardian,
            council,
            cold,
            address(this)
        ];
        for (uint256 i = 0; i < taken.length; ++i) {
            vm.startPrank(council);
            expectInvalidRole(taken[i]);
            router.setOperator(taken[i]);
            expectInvalidRole(taken[i]);
            router.setSettler(taken[i]);
            if (taken[i] != guardian) {
                expectInvalidRole(taken[i]);
                router.setGuardian(taken[i], true);
            }
            vm.stopPrank();
        }
        address[4] memory hot = [address(0), operator, settler, guardian];
        for (uint256 i = 0; i < hot.length; ++i) {
            expectInvalidRole(hot[i]);
            router.setCouncil(hot[i]);
            expectInvalidRole(hot[i]);
            router.setColdWallet(hot[i]);
            if (hot[i] == settler || hot[i] == address(0)) continue;
            expectInvalidRole(hot[i]);
            vault.setCouncil(hot[i]);
            expectInvalidRole(hot[i]);
            vault.setColdWallet(hot[i]);
        }
        vm.prank(council);
        expectInvalidRole(cold);
        vault.setOperator(cold);
    }

    function test_guardianNamedTwiceStaysOne() public {
        vm.prank(council);
        router.setGuardian(guardian, true);
        assertTrue(router.isGuardian(guardian), "guardian");
    }

    function test_ownershipNeverGoesToAHotKey() public {
        address[3] memory hot = [operator, settler, guardian];
        for (uint256 i = 0; i < hot.length; ++i) {
            router.transferOwnership(hot[i]);
            vm.prank(hot[i]);
            expectInvalidRole(hot[i]);
            router.acceptOwnership();
        }
        router.transferOwnership(alice);
        vm.prank(alice);
        router.acceptOwnership();
        assertEq(router.owner(), alice, "owner");
    }

    function test_oneKeyMayBeOwnerCouncilAndColdWallet() public {
        vault.setCouncil(address(this));
        vault.setColdWallet(address(this));
        assertEq(vault.council(), vault.coldWallet(), "one key");
    }

    function test_ownershipCannotBeRenounced() public {
        vault.pause();
        vm.expectRevert(Guarded.RenounceDisabled.selector);
        vault.renounceOwnership();
        vm.expectRevert(Guarded.RenounceDisabled.selector);
        router.renounceOwnership();
    }

    function test_guardianCouncilAndOwnerPause() public {
        address[3] memory guards = [guardian, council, address(this)];
        for (uint256 i = 0; i < guards.length; ++i) {
            vm.prank(guards[i]);
            vault.pause();
            assertTrue(vault.paused(), "paused");
            vm.prank(council);
            vault.unpause();
        }
        address[4] memory others = [operator, settler, cold, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            vm.prank(others[i]);
            vm.expectRevert(abi.encodeWithSelector(Guarded.NotGuardian.selector, others[i]));
            vault.pause();
        }
    }

    function test_councilAndOwnerUnpause() public {
        vault.pause();
        address[4] memory others = [guardian, operator, cold, bob];
        for (uint256 i = 0; i < others.length; ++i) {
            expectNotCouncil(others[i]);
            vault.unpause();
        }
        vault.unpause();
        assertTrue(!vault.paused(), "the owner went on");
    }

    function test_retiredNeverOpensAgain() public {
        vm.expectRevert(Pausable.ExpectedPause.selector);
        vault.retire();
        vault.pause();
        vm.expectEmit(false, false, false, true, address(vault));
        emit Retired();
        vault.retire();
        assertTrue(vault.retired(), "retired");
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.retire();
        vm.expectRevert(Guarded.ContractRetired.selector);
        vault.unpause();
    }
}
