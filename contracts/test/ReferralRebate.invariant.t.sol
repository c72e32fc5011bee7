// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Guarded} from "../src/Guarded.sol";
import {IRewardTotals, ReferralRebate} from "../src/ReferralRebate.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {ActorBase, ActorRun} from "./support/ActorBase.sol";

/// @dev The settler, who writes, and strangers on one register over a line of routers.
contract RegisterActors is ActorBase {
    ReferralRebate public immutable register;
    TestUSDT internal immutable usdt;
    address[3] public accounts = [address(0xACC1), address(0xACC2), address(0xACC3)];
    bytes32[3] public codes = [bytes32("ONE"), bytes32("TWO"), bytes32("THREE")];
    mapping(bytes32 code => address) public firstOwner;

    constructor() {
        usdt = new TestUSDT();
        ReferralRebate.Rebate[5] memory tiers;
        for (uint16 level = 0; level < 5; ++level) {
            tiers[level] = ReferralRebate.Rebate(1_000 + 500 * level, 2_500 * level);
        }
        register = new ReferralRebate(
            IRewardTotals(address(newRouter(usdt, address(0)))),
            roles(operator),
            tiers
        );
    }

    function registerCode(uint256 which, uint256 who) external {
        (bytes32[] memory codeList, address[] memory owners) = lists(which, who);
        vm.prank(operator);
        try register.registerCodes(codeList, owners) {
            if (firstOwner[codeList[0]] == address(0)) firstOwner[codeList[0]] = owners[0];
            succeeded(this.registerCode.selector);
        } catch (bytes memory reason) {
            allow(reason, ReferralRebate.CodeTaken.selector);
        }
    }

    function bind(uint256 which, uint256 who) external {
        (bytes32[] memory codeList, address[] memory traders) = lists(which, who);
        if (which % 5 == 0) codeList[0] = 0;
        vm.prank(operator);
        try register.bindTraders(traders, codeList) {
            demand(register.traderCode(traders[0]) == codeList[0], "bound as written");
            succeeded(this.bind.selector);
        } catch (bytes memory reason) {
            allow(
                reason,
                ReferralRebate.UnknownCode.selector,
                ReferralRebate.SelfReferral.selector,
                ReferralRebate.SelfReferral.selector
            );
        }
    }

    function setTerms(uint256 who, uint256 total, uint256 share, uint8 level) external {
        address[] memory list = new address[](1);
        list[0] = accounts[who % 3];
        uint8[] memory levels = new uint8[](1);
        levels[0] = uint8(bound(level, 0, 4));
        ReferralRebate.RebateOverride[] memory terms = new ReferralRebate.RebateOverride[](1);
        terms[0] = ReferralRebate.RebateOverride(
            total % 2 == 0,
            uint16(bound(total, 0, 10_000)),
            uint16(bound(share, 0, 10_000))
        );
        bytes[] memory calls = new bytes[](2);
        calls[0] = abi.encodeCall(ReferralRebate.setTierLevels, (list, levels));
        calls[1] = abi.encodeCall(ReferralRebate.setRebateOverrides, (list, terms));
        vm.prank(operator);
        register.multicall(calls);
        succeeded(this.setTerms.selector);
    }

    function trespass(uint256 which, uint256 what) external {
        address[4] memory callers = [accounts[0], guardian, cold, settler];
        address caller = callers[which % 4];
        (bytes32[] memory codeList, address[] memory list) = lists(which, which);
        bytes[] memory inner = new bytes[](1);
        inner[0] = abi.encodeCall(ReferralRebate.setTierLevels, (list, new uint8[](1)));
        bytes[6] memory calls = [
            abi.encodeCall(ReferralRebate.registerCodes, (codeList, list)),
            abi.encodeCall(ReferralRebate.bindTraders, (list, codeList)),
            abi.encodeWithSignature("multicall(bytes[])", inner),
            abi.encodeCall(ReferralRebate.setRewardRouter, (register.rewardRouter())),
            abi.encodeCall(ReferralRebate.setTier, (0, ReferralRebate.Rebate(0, 0))),
            abi.encodeCall(Guarded.setCouncil, (caller))
        ];
        demandRefusal(caller, address(register), calls[what % 6], "no role, no change");
        succeeded(this.trespass.selector);
    }

    function succeedRouter() external {
        address present = address(register.rewardRouter());
        register.setRewardRouter(IRewardTotals(address(newRouter(usdt, present))));
        demandRefusal(
            address(this),
            address(register),
            abi.encodeCall(ReferralRebate.setRewardRouter, (IRewardTotals(present))),
            "never back"
        );
        succeeded(this.succeedRouter.selector);
    }

    function lists(
        uint256 which,
        uint256 who
    ) internal view returns (bytes32[] memory codeList, address[] memory list) {
        codeList = new bytes32[](1);
        list = new address[](1);
        (codeList[0], list[0]) = (codes[which % 3], accounts[who % 3]);
    }
}

contract ReferralRebateInvariantTest is ActorRun {
    RegisterActors internal all;

    function setUp() public {
        all = new RegisterActors();
    }

    function actors() internal view override returns (ActorBase) {
        return all;
    }

    function actions() internal view override returns (bytes4[] memory list) {
        list = new bytes4[](5);
        list[0] = all.registerCode.selector;
        list[1] = all.bind.selector;
        list[2] = all.setTerms.selector;
        list[3] = all.trespass.selector;
        list[4] = all.succeedRouter.selector;
    }

    function invariant_codesStayAndTermsAddUp() public view {
        requireNoViolation();
        ReferralRebate register = all.register();
        for (uint256 i = 0; i < 3; ++i) {
            bytes32 known = all.codes(i);
            assertEq(register.codeOwner(known), all.firstOwner(known), "a code never changes hands");
            address trader = all.accounts(i);
            (bytes32 code, address referrer, uint16 total, uint16 discount, uint16 reward) = register
                .traderReferral(trader);
            assertEq(code, register.traderCode(trader), "code");
            assertTrue(referrer != trader, "nobody refers itself");
            assertEq(uint256(discount) + reward, total, "discount and reward are the whole");
            assertTrue(total <= 10_000, "no more than the fee");
            assertTrue(code == 0 || referrer != address(0), "a bound code has an owner");
        }
    }
}
