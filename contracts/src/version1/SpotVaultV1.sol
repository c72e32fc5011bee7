// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {OperatorControlled} from "./OperatorControlled.sol";

/// @title The spot wallet's vault: deposits in, signed withdrawals out
/// @notice The exchange credits what a `Deposited` event says. A withdrawal is paid once, to the
/// account that the operator's signature names, and only in the turn of its nonce.
contract SpotVaultV1 is OperatorControlled, EIP712, ReentrancyGuard {
    using SafeERC20 for IERC20;
    using EnumerableSet for EnumerableSet.AddressSet;

    /// @notice The EIP-712 type that the operator signs.
    bytes32 public constant VAULT_RELEASE_TYPEHASH =
        keccak256(
            "VaultRelease(address account,address token,uint256 value,uint256 nonce,uint256 deadline)"
        );

    EnumerableSet.AddressSet private _tokens;
    /// @notice The nonce that the account's next release must carry.
    mapping(address account => uint256) public releaseNonce;
    /// @notice How many deposits the account has made; the next one carries this number.
    mapping(address account => uint256) public depositCount;

    /// @notice The vault received `amount`; `number` rises by one with each deposit of the account.
    event Deposited(
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 number
    );
    /// @notice The vault paid a signed withdrawal.
    event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce);
    /// @notice The owner allowed or disallowed deposits of a token.
    event TokenSupportChanged(address indexed token, bool supported);

    /// @notice This token cannot be deposited.
    error TokenNotSupported(address token);
    /// @notice A deposit or release of nothing.
    error ZeroAmount();
    /// @notice The nonce is not the account's next one.
    error InvalidNonce(address account, uint256 expected, uint256 given);
    /// @notice The signature is past its deadline.
    error SignatureExpired(uint256 deadline);
    /// @notice The signature is not the operator's over exactly this release.
    error InvalidSigner(address recovered);

    /// @param tokens the tokens that can be deposited from the start
    /// @param initialOwner configures and pauses
    /// @param initialOperator signs
    /// @param domainName the EIP-712 domain's name, at most 31 bytes
    constructor(
        address[] memory tokens,
        address initialOwner,
        address initialOperator,
        string memory domainName
    ) OperatorControlled(initialOwner, initialOperator) EIP712(domainName, "1") {
        for (uint256 i = 0; i < tokens.length; ++i) _setTokenSupport(tokens[i], true);
    }

    /// @notice Takes an amount of a token from the caller, who must have approved it.
    /// @dev What counts is what arrives, so a token that keeps a fee credits no more than the rest.
    function deposit(address token, uint256 amount) external nonReentrant whenNotPaused {
        if (!_tokens.contains(token)) revert TokenNotSupported(token);
        uint256 number = depositCount[msg.sender]++;
        uint256 balanceBefore = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 received = IERC20(token).balanceOf(address(this)) - balanceBefore;
        if (received == 0) revert ZeroAmount();
        emit Deposited(msg.sender, token, received, number);
    }

    /// @notice Pays a signed withdrawal to the caller, the account that the signature names.
    /// @param token what is paid
    /// @param amount in the token's smallest unit
    /// @param nonce must be the caller's `releaseNonce`
    /// @param deadline the last second, in Unix time, at which the signature is good
    /// @param signature the operator's over (caller, token, amount, nonce, deadline)
    function release(
        address token,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant whenNotPaused {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (amount == 0) revert ZeroAmount();
        uint256 expected = releaseNonce[msg.sender]++;
        if (nonce != expected) revert InvalidNonce(msg.sender, expected, nonce);
        address signer = ECDSA.recoverCalldata(
            releaseDigest(msg.sender, token, amount, nonce, deadline),
            signature
        );
        if (signer != operator) revert InvalidSigner(signer);
        emit Released(msg.sender, token, amount, nonce);
        IERC20(token).safeTransfer(msg.sender, amount);
    }

    /// @notice Allows or disallows deposits of a token; releases are not touched.
    function setTokenSupport(address token, bool supported) external onlyOwner {
        _setTokenSupport(token, supported);
    }

    /// @notice The digest that the operator signs for a release.
    function releaseDigest(
        address account,
        address token,
        uint256 value,
        uint256 nonce,
        uint256 deadline
    ) public view returns (bytes32) {
        return
            _hashTypedDataV4(
                keccak256(
                    abi.encode(VAULT_RELEASE_TYPEHASH, account, token, value, nonce, deadline)
                )
            );
    }

    /// @notice Whether the token can be deposited.
    function isSupported(address token) external view returns (bool) {
        return _tokens.contains(token);
    }

    /// @notice The tokens that can be deposited; the exchange knows them by their symbols.
    function supportedTokens() external view returns (address[] memory) {
        return _tokens.values();
    }

    function _setTokenSupport(address token, bool supported) private {
        bool isChange = supported ? _tokens.add(token) : _tokens.remove(token);
        if (isChange) emit TokenSupportChanged(token, supported);
    }
}
