// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

/// @dev A log as forge records it.
struct Log {
    bytes32[] topics;
    bytes data;
    address emitter;
}

/// @dev The cheats of forge that these tests use.
interface Vm {
    function addr(uint256 privateKey) external pure returns (address);
    function sign(
        uint256 privateKey,
        bytes32 digest
    ) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;
    function load(address target, bytes32 slot) external view returns (bytes32);
    function record() external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);
    function accesses(
        address target
    ) external returns (bytes32[] memory reads, bytes32[] memory writes);
    function warp(uint256 timestamp) external;
    function chainId(uint256 id) external;
    function assume(bool condition) external pure;
    function expectRevert(bytes calldata reason) external;
    function expectRevert(bytes4 selector) external;
    /// @dev Looks at the error's selector only, not at its arguments.
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit(bool topic1, bool topic2, bool topic3, bool data) external;
    function expectEmit(
        bool topic1,
        bool topic2,
        bool topic3,
        bool data,
        address emitter
    ) external;
}

/// @dev The little that the tests need beside forge's cheats.
abstract contract TestBase {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    /// @dev The order of the curve: s and order - s sign the same digest.
    uint256 internal constant CURVE_ORDER =
        0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141;

    error Unequal(string what, uint256 left, uint256 right);
    error Untrue(string what);

    function assertEq(uint256 left, uint256 right, string memory what) internal pure {
        if (left != right) revert Unequal(what, left, right);
    }

    function assertEq(address left, address right, string memory what) internal pure {
        assertEq(uint256(uint160(left)), uint256(uint160(right)), what);
    }

    function assertEq(bytes32 left, bytes32 right, string memory what) internal pure {
        assertEq(uint256(left), uint256(right), what);
    }

    function assertTrue(bool fact, string memory what) internal pure {
        if (!fact) revert Untrue(what);
    }

    function bound(uint256 value, uint256 low, uint256 high) internal pure returns (uint256) {
        return low + (value % (high - low + 1));
    }

    /// @dev 65 bytes as wallets and the service make them: r, s, v.
    function signatureOf(uint256 privateKey, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The other signature that is mathematically good for the same digest.
    function highSignatureOf(
        uint256 privateKey,
        bytes32 digest
    ) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, bytes32(CURVE_ORDER - uint256(s)), v == 27 ? 28 : 27);
    }

    /// @dev The 64 byte form of ERC-2098, in which v hides in the top bit of s.
    function compactSignatureOf(
        uint256 privateKey,
        bytes32 digest
    ) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, bytes32(uint256(s) | (uint256(v - 27) << 255)));
    }
}
