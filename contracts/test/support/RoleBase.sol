// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Guarded} from "../../src/Guarded.sol";
import {RewardRouter} from "../../src/RewardRouter.sol";
import {SpotVault} from "../../src/SpotVault.sol";
import {TestBase} from "./TestBase.sol";

/// @dev The holders of the roles, and contracts that have no limits yet but are open. The test
/// itself is the owner.
abstract contract RoleBase is TestBase {
    uint256 internal constant OPERATOR_KEY = 0xA11CE;
    uint256 internal constant STRANGER_KEY = 0xB0B;

    address internal operator = vm.addr(OPERATOR_KEY);
    address internal settler = address(0x5E77);
    address internal guardian = address(0x6A4D);
    address internal council = address(0xC0C1);
    address internal cold = address(0xC01D);
    address internal alice = address(0xA1);
    address internal bob = address(0xB1);

    function roles(address signer) internal view returns (Guarded.Roles memory) {
        return Guarded.Roles(address(this), council, guardian, signer);
    }

    function newRouter(IERC20 token, address predecessor) internal returns (RewardRouter made) {
        made = new RewardRouter(
            token,
            roles(operator),
            settler,
            cold,
            predecessor,
            "ReferralRewardRouter"
        );
        made.setSettlementLimit(type(uint128).max, 1 days);
    }

    function newVault(
        address[] memory tokens,
        address predecessor
    ) internal returns (SpotVault made) {
        made = new SpotVault(tokens, roles(operator), cold, predecessor, "SpotVault");
        for (uint256 i = 0; i < tokens.length; ++i) made.setLimit(tokens[i], unlimited());
    }

    function unlimited() internal pure returns (SpotVault.Limits memory) {
        uint128 most = type(uint128).max;
        return SpotVault.Limits(most, most, most, most, 1 days, 0);
    }

    /// @dev 10 at once for one, 100 for all, floor 300, high mark 500, a day each.
    function bounded(uint256 unit) internal pure returns (SpotVault.Limits memory) {
        return
            SpotVault.Limits(
                uint128(10 * unit),
                uint128(100 * unit),
                uint128(300 * unit),
                uint128(500 * unit),
                1 days,
                1 days
            );
    }
}
