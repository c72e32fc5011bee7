// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {IRewardTotals, ReferralRebate} from "../src/ReferralRebate.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Each write of the register: what it reports, when it changes nothing, and what it refuses.
contract RegisterWritesTest is RoleBase {
    bytes32 internal constant CODE = "ALICE";
    ReferralRebate internal register;

    event TierChanged(
        uint8 indexed level,
        ReferralRebate.Rebate previous,
        ReferralRebate.Rebate current
    );
    event CodeRegistered(bytes32 indexed code, address indexed owner);
    event TraderBound(address indexed trader, bytes32 indexed previousCode, bytes32 indexed code);
    event TierLevelChanged(address indexed account, uint8 previousLevel, uint8 level);
    event RebateOverrideChanged(
        address indexed referrer,
        ReferralRebate.RebateOverride previous,
        ReferralRebate.RebateOverride current
    );

    function setUp() public {
        ReferralRebate.Rebate[5] memory tiers;
        register = new ReferralRebate(
            IRewardTotals(address(newRouter(new TestUSDT(), address(0)))),
            roles(operator),
            tiers
        );
    }

    function accounts(address account) internal pure returns (address[] memory list) {
        list = new address[](1);
        list[0] = account;
    }

    function codes(bytes32 code) internal pure returns (bytes32[] memory list) {
        list = new bytes32[](1);
        list[0] = code;
    }

    function levels(uint8 level) internal pure returns (uint8[] memory list) {
        list = new uint8[](1);
        list[0] = level;
    }

    function overrides(
        uint16 total,
        uint16 share
    ) internal pure returns (ReferralRebate.RebateOverride[] memory list) {
        list = new ReferralRebate.RebateOverride[](1);
        list[0] = ReferralRebate.RebateOverride(true, total, share);
    }

    function write(bytes memory data) internal {
        vm.prank(operator);
        (bool isDone, ) = address(register).call(data);
        assertTrue(isDone, "written");
    }

    function expectRefusal(bytes memory data, bytes memory refusal) internal {
        vm.prank(operator);
        (bool isDone, bytes memory reason) = address(register).call(data);
        assertTrue(!isDone, "refused");
        assertEq(keccak256(reason), keccak256(refusal), "with this error");
    }

    function test_everyWriteTellsWhatStoodBefore() public {
        ReferralRebate.Rebate memory noRebate;
        ReferralRebate.Rebate memory rebate = ReferralRebate.Rebate(2_000, 500);
        vm.startPrank(operator);
        expectEvent();
        emit TierChanged(3, noRebate, rebate);
        register.setTier(3, rebate);
        expectEvent();
        emit TierChanged(3, rebate, ReferralRebate.Rebate(1_000, 0));
        register.setTier(3, ReferralRebate.Rebate(1_000, 0));
        expectEvent();
        emit CodeRegistered(CODE, alice);
        register.registerCodes(codes(CODE), accounts(alice));
        expectEvent();
        emit TraderBound(bob, 0, CODE);
        register.bindTraders(accounts(bob), codes(CODE));
        expectEvent();
        emit TraderBound(bob, CODE, 0);
        register.bindTraders(accounts(bob), codes(0));
        expectEvent();
        emit TierLevelChanged(alice, 0, 2);
        register.setTierLevels(accounts(alice), levels(2));
        expectEvent();
        emit TierLevelChanged(alice, 2, 4);
        register.setTierLevels(accounts(alice), levels(4));
        vm.stopPrank();
    }

    function test_anOwnRebateTellsWhatStoodBefore() public {
        ReferralRebate.RebateOverride memory none;
        ReferralRebate.RebateOverride memory own = ReferralRebate.RebateOverride(true, 1_500, 400);
        vm.startPrank(operator);
        expectEvent();
        emit RebateOverrideChanged(alice, none, own);
        register.setRebateOverrides(accounts(alice), overrides(1_500, 400));
        expectEvent();
        emit RebateOverrideChanged(alice, own, none);
        register.setRebateOverrides(accounts(alice), new ReferralRebate.RebateOverride[](1));
        vm.stopPrank();
    }

    function expectEvent() internal {
        vm.expectEmit(true, true, true, true, address(register));
    }

    function test_whatStandsAlreadyIsNotToldAgain() public {
        write(abi.encodeCall(register.registerCodes, (codes(CODE), accounts(alice))));
        write(abi.encodeCall(register.bindTraders, (accounts(bob), codes(CODE))));
        write(abi.encodeCall(register.setTierLevels, (accounts(alice), levels(2))));
        vm.recordLogs();
        write(abi.encodeCall(register.registerCodes, (codes(CODE), accounts(alice))));
        write(abi.encodeCall(register.bindTraders, (accounts(bob), codes(CODE))));
        write(abi.encodeCall(register.setTierLevels, (accounts(alice), levels(2))));
        assertEq(vm.getRecordedLogs().length, 0, "logs");
    }

    function test_aPauseStopsEveryWrite() public {
        register.pause();
        bytes memory refusal = abi.encodeWithSelector(Pausable.EnforcedPause.selector);
        ReferralRebate.Rebate memory rebate = ReferralRebate.Rebate(1, 1);
        expectRefusal(abi.encodeCall(register.setTier, (0, rebate)), refusal);
        expectRefusal(
            abi.encodeCall(register.registerCodes, (codes(CODE), accounts(alice))),
            refusal
        );
        expectRefusal(
            abi.encodeCall(register.bindTraders, (accounts(bob), codes(0))),
            refusal
        );
        expectRefusal(
            abi.encodeCall(register.setTierLevels, (accounts(bob), levels(1))),
            refusal
        );
        expectRefusal(
            abi.encodeCall(register.setRebateOverrides, (accounts(bob), overrides(1, 1))),
            refusal
        );
    }

    function test_listsOfEveryWriteMatch() public {
        address[] memory none = new address[](0);
        bytes memory refusal = abi.encodeWithSelector(
            ReferralRebate.LengthMismatch.selector,
            0,
            1
        );
        expectRefusal(abi.encodeCall(register.bindTraders, (none, codes(0))), refusal);
        expectRefusal(abi.encodeCall(register.setTierLevels, (none, levels(1))), refusal);
        expectRefusal(
            abi.encodeCall(register.setRebateOverrides, (none, overrides(1, 1))),
            refusal
        );
    }

    function test_sharesEndAtTheWhole() public {
        bytes memory refusal = abi.encodeWithSelector(ReferralRebate.InvalidBps.selector, 10_001);
        write(abi.encodeCall(register.setTier, (0, ReferralRebate.Rebate(10_000, 10_000))));
        expectRefusal(
            abi.encodeCall(register.setTier, (0, ReferralRebate.Rebate(0, 10_001))),
            refusal
        );
        write(
            abi.encodeCall(
                register.setRebateOverrides,
                (accounts(alice), overrides(10_000, 10_000))
            )
        );
        expectRefusal(
            abi.encodeCall(register.setRebateOverrides, (accounts(alice), overrides(10_001, 0))),
            refusal
        );
        expectRefusal(
            abi.encodeCall(register.setRebateOverrides, (accounts(alice), overrides(0, 10_001))),
            refusal
        );
    }
}
