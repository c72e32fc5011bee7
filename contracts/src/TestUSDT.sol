// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title USDT for development chains, with 6 decimals; anyone may mint it
contract TestUSDT is ERC20 {
    constructor() ERC20("Test USDT", "USDT") {}

    /// @notice Makes new tokens out of nothing, for anyone.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
