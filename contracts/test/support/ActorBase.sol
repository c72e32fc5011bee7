// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {RoleBase} from "./RoleBase.sol";

/// @dev Names the functions that an invariant run may call on a target.
struct FuzzSelector {
    address addr;
    bytes4[] selectors;
}

/// @dev What the hands of an invariant run share. A call that reverts for a reason that its action
/// does not allow fails the run, and every action has to succeed at least once in a run.
abstract contract ActorBase is RoleBase {
    mapping(bytes4 action => uint256) public successes;
    /// @dev What must never happen, with the name of the action that saw it.
    string[] public violations;

    error UnexpectedRevert(bytes reason);

    function violationCount() external view returns (uint256) {
        return violations.length;
    }

    function succeeded(bytes4 action) internal {
        ++successes[action];
    }

    /// @dev Whether the action has to bring about what it needs: in half of its calls, and until it
    /// has succeeded once.
    function isDue(bytes4 action, uint256 chance) internal view returns (bool) {
        return chance % 2 == 0 || successes[action] == 0;
    }

    function demand(bool fact, string memory what) internal {
        if (!fact) violations.push(what);
    }

    function allow(bytes memory reason, bytes4 first) internal pure {
        allow(reason, first, first, first);
    }

    function allow(bytes memory reason, bytes4 first, bytes4 second, bytes4 third) internal pure {
        bytes4 given = bytes4(reason);
        if (given != first && given != second && given != third) revert UnexpectedRevert(reason);
    }

    /// @dev Makes a call that has to be refused.
    function demandRefusal(address caller, address target, bytes memory data, string memory what) internal {
        vm.prank(caller);
        (bool isDone, ) = target.call(data);
        demand(!isDone, what);
    }
}

/// @dev Runs one contract of actors, whose every listed action has to succeed in every run.
abstract contract ActorRun is RoleBase {
    function actors() internal view virtual returns (ActorBase);

    function actions() internal view virtual returns (bytes4[] memory);

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(actors());
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(actors()), actions());
    }

    function afterInvariant() public view {
        bytes4[] memory list = actions();
        for (uint256 i = 0; i < list.length; ++i) {
            if (actors().successes(list[i]) == 0) {
                revert Unequal("an action never succeeded", uint256(uint32(list[i])), i);
            }
        }
    }

    function requireNoViolation() internal view {
        if (actors().violationCount() > 0) revert Untrue(actors().violations(0));
    }
}
