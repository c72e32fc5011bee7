// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @notice The least of a Safe: so many of its owners confirm a call, and then it is made.
contract Multisig {
    uint256 public immutable threshold;
    mapping(address owner => bool) public isOwner;
    mapping(bytes32 call => mapping(address owner => bool)) public hasConfirmed;
    mapping(bytes32 call => uint256) public confirmations;

    error NotOwner();
    error CallFailed(bytes reason);

    constructor(address[] memory owners, uint256 needed) {
        threshold = needed;
        for (uint256 i; i < owners.length; ++i) isOwner[owners[i]] = true;
    }

    function confirm(address to, bytes calldata data) external {
        if (!isOwner[msg.sender]) revert NotOwner();
        bytes32 id = keccak256(abi.encode(to, data));
        if (hasConfirmed[id][msg.sender]) return;
        hasConfirmed[id][msg.sender] = true;
        if (++confirmations[id] != threshold) return;
        (bool done, bytes memory reason) = to.call(data);
        if (!done) revert CallFailed(reason);
    }
}
