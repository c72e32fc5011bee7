// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token with the habits that hurt: it calls back during a transfer, keeps a fee, refuses.
contract HostileToken is ERC20 {
    address public callbackTarget;
    bytes public callbackData;
    bool public callbackSucceeded;
    bytes public callbackResult;
    uint256 public feeBps;
    bool public isFrozen;

    error Frozen();

    constructor() ERC20("Hostile", "HOSTILE") {}

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
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

    function _update(address from, address to, uint256 value) internal override {
        if (from != address(0) && isFrozen) revert Frozen();
        address target = callbackTarget;
        if (from != address(0) && target != address(0)) {
            callbackTarget = address(0);
            (callbackSucceeded, callbackResult) = target.call(callbackData);
        }
        uint256 fee = from == address(0) ? 0 : (value * feeBps) / 10_000;
        super._update(from, to, value - fee);
        if (fee > 0) super._update(from, address(0xfee), fee);
    }
}
