// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title DF for development chains, with 18 decimals; anyone may mint it
contract TestDF is ERC20 {
    constructor() ERC20("Test DF", "DF") {}

    /// @notice Makes new tokens out of nothing, for anyone.
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 18;
    }
}
