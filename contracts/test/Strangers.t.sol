// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Multicall} from "@openzeppelin/contracts/utils/Multicall.sol";
import {Guarded} from "../src/Guarded.sol";
import {IRewardTotals, ReferralRebate} from "../src/ReferralRebate.sol";
import {RewardRouter} from "../src/RewardRouter.sol";
import {SpotVault} from "../src/SpotVault.sol";
import {TestUSDT} from "../src/TestUSDT.sol";
import {RoleBase} from "./support/RoleBase.sol";

/// @dev Every call that changes a contract, by accounts without the role for it and by the keys
/// that sign for it. What is refused changes no storage. A call to the vault that is open to all
/// must move nothing of the vault's money anywhere but to its owner or the cold wallet, which the
/// vault's own tests show.
contract StrangersTest is RoleBase {
    TestUSDT internal usdt;
    SpotVault internal vault;
    RewardRouter internal router;
    ReferralRebate internal register;

    function setUp() public {
        usdt = new TestUSDT();
        router = newRouter(usdt, address(0));
        usdt.mint(address(router), 1e6);
        address[] memory tokens = new address[](1);
        tokens[0] = address(usdt);
        vault = newVault(tokens, address(0));
        ReferralRebate.Rebate[5] memory tiers;
        register = new ReferralRebate(IRewardTotals(address(router)), roles(settler), tiers);
    }

    function test_everyCallOfTheVaultIsRefused() public {
        uint256[] memory ids = new uint256[](1);
        ids[0] = 1;
        bytes memory nothing = new bytes(65);
        bytes[] memory calls = new bytes[](23);
        calls[0] = abi.encodeCall(SpotVault.cancelQueued, (ids));
        calls[1] = abi.encodeCall(SpotVault.deposit, (address(usdt), 1));
        calls[2] = abi.encodeCall(SpotVault.evacuate, (address(usdt)));
        calls[3] = abi.encodeCall(SpotVault.lowerLimit, (address(usdt), 0, 0, 7 days));
        calls[4] = abi.encodeCall(SpotVault.payQueued, (1));
        calls[5] = abi.encodeCall(SpotVault.refill, (address(usdt), 1));
        calls[6] = abi.encodeCall(
            SpotVault.release,
            (address(usdt), 1, 0, block.timestamp, nothing)
        );
        calls[7] = abi.encodeCall(SpotVault.rescueSurplus, (address(usdt), bob, 0));
        calls[8] = abi.encodeCall(SpotVault.retire, ());
        calls[9] = abi.encodeCall(SpotVault.setColdWallet, (bob));
        calls[10] = abi.encodeCall(SpotVault.setDepositsPaused, (true));
        calls[11] = abi.encodeCall(SpotVault.setLimit, (address(usdt), unlimited()));
        calls[12] = abi.encodeCall(SpotVault.setTokenSupport, (bob, true));
        calls[13] = abi.encodeCall(SpotVault.sweep, (address(usdt)));
        calls[14] = abi.encodeCall(SpotVault.voidSigner, (operator));
        refuseAll(address(vault), calls, 15);
    }

    function test_everyCallOfTheRouterIsRefused() public {
        (address[] memory users, uint256[] memory totals) = (new address[](1), new uint256[](1));
        (users[0], totals[0]) = (bob, 1);
        bytes[] memory calls = new bytes[](19);
        calls[0] = abi.encodeCall(RewardRouter.evacuate, ());
        calls[1] = abi.encodeCall(RewardRouter.lowerSettlementLimit, (0));
        calls[2] = abi.encodeCall(
            RewardRouter.redeemReward,
            (1, block.timestamp, new bytes(65))
        );
        calls[3] = abi.encodeCall(RewardRouter.retire, (address(router)));
        calls[4] = abi.encodeCall(RewardRouter.setColdWallet, (bob));
        calls[5] = abi.encodeCall(RewardRouter.setHold, (bob, 0));
        calls[6] = abi.encodeCall(RewardRouter.setRedemptionMax, (1));
        calls[7] = abi.encodeCall(RewardRouter.setSettlementLimit, (1, 1));
        calls[8] = abi.encodeCall(RewardRouter.setSettler, (bob));
        calls[9] = abi.encodeCall(RewardRouter.withdrawSurplus, (bob, 0));
        calls[10] = abi.encodeCall(Guarded.setOperator, (bob));
        uint256 count = refuseAll(address(router), calls, 11);
        // The settler's one call, which the keys that sign do not have.
        calls[0] = abi.encodeCall(RewardRouter.batchSettleRewards, (users, totals));
        address[4] memory callers = [bob, operator, guardian, cold];
        for (uint256 i = 0; i < callers.length; ++i) refuse(address(router), callers[i], calls[0]);
        assertEq(count, 19, "all calls");
    }

    function test_everyCallOfTheRegisterIsRefused() public {
        (address[] memory list, bytes32[] memory codes) = (new address[](1), new bytes32[](1));
        (list[0], codes[0]) = (bob, "ONE");
        bytes[] memory calls = new bytes[](15);
        calls[0] = abi.encodeCall(ReferralRebate.registerCodes, (codes, list));
        calls[1] = abi.encodeCall(ReferralRebate.bindTraders, (list, new bytes32[](1)));
        calls[2] = abi.encodeCall(ReferralRebate.setTier, (0, ReferralRebate.Rebate(1, 1)));
        calls[3] = abi.encodeCall(ReferralRebate.setTierLevels, (list, new uint8[](1)));
        calls[4] = abi.encodeCall(
            ReferralRebate.setRebateOverrides,
            (list, new ReferralRebate.RebateOverride[](1))
        );
        calls[5] = abi.encodeCall(
            ReferralRebate.setRewardRouter,
            (IRewardTotals(address(newRouter(usdt, address(router)))))
        );
        bytes[] memory inner = new bytes[](1);
        inner[0] = calls[0];
        calls[6] = abi.encodeCall(Multicall.multicall, (inner));
        refuseAll(address(register), calls, 7);
    }

    /// @dev Adds the calls that all three have.
    function refuseAll(
        address target,
        bytes[] memory calls,
        uint256 count
    ) internal returns (uint256) {
        calls[count++] = abi.encodeCall(Guarded.setOperator, (alice));
        calls[count++] = abi.encodeCall(Guarded.setGuardian, (alice, true));
        calls[count++] = abi.encodeCall(Guarded.setCouncil, (alice));
        calls[count++] = abi.encodeCall(Guarded.pause, ());
        calls[count++] = abi.encodeCall(Guarded.unpause, ());
        calls[count++] = abi.encodeCall(Ownable2Step.transferOwnership, (alice));
        calls[count++] = abi.encodeCall(Ownable2Step.acceptOwnership, ());
        calls[count++] = abi.encodeCall(Ownable.renounceOwnership, ());
        assertEq(count, calls.length, "every entry is a call");
        for (uint256 i = 0; i < calls.length; ++i) {
            refuse(target, bob, calls[i]);
            refuse(target, operator, calls[i]);
        }
        return count;
    }

    function refuse(address target, address caller, bytes memory data) internal {
        vm.prank(caller);
        (bool isDone, ) = target.call(data);
        assertTrue(!isDone, "refused");
    }
}
