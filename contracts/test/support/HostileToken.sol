// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token with the habits that hurt: it calls back during a transfer, keeps a fee, refuses
/// everyone or one account, answers false or nothing, and shrinks.
contract HostileToken is ERC20 {
    enum Answer {
        True,
        False,
        Nothing
    }

    address public callbackTarget;
    bytes public callbackData;
    bool public callbackSucceeded;
    bytes public callbackResult;
    uint256 public feeBps;
    bool public isFrozen;
    mapping(address account => bool) public isBlacklisted;
    Answer public answering;

    error Frozen();
    error Blacklisted(address account);

    constructor() ERC20("Hostile", "HOSTILE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function burn(address from, uint256 amount) external {
        _burn(from, amount);
    }

    function callBack(address target, bytes calldata data) external {
        callbackTarget = target;
        callbackData = data;
    }

    function keepFee(uint256 bps) external {
        feeBps = bps;
    }

    function freeze(bool frozen) external {
        isFrozen = frozen;
    }

    function blacklist(address account, bool listed) external {
        isBlacklisted[account] = listed;
    }

    function answer(Answer next) external {
        answering = next;
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (answering == Answer.False) return false;
        super.transfer(to, amount);
        _leaveWith();
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    ) public override returns (bool) {
        if (answering == Answer.False) return false;
        super.transferFrom(from, to, amount);
        _leaveWith();
        return true;
    }

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0) && to != address(0)) {
            if (isFrozen) revert Frozen();
            if (isBlacklisted[to]) revert Blacklisted(to);
            address target = callbackTarget;
            if (target != address(0)) {
                callbackTarget = address(0);
                (callbackSucceeded, callbackResult) = target.call(callbackData);
            }
        }
        bool isTransfer = from != address(0) && to != address(0);
        uint256 fee = isTransfer ? (value * feeBps) / 10_000 : 0;
        super._update(from, to, value - fee);
        if (fee > 0) super._update(from, address(0xfee), fee);
    }

    /// @dev Ends the call without an answer, as some old tokens do.
    function _leaveWith() private view {
        if (answering == Answer.Nothing) {
            assembly {
                return(0, 0)
            }
        }
    }
}
