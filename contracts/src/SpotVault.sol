// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {Guarded} from "./Guarded.sol";
import {LeakyWindow} from "./LeakyWindow.sol";
import {Predecessor} from "./Predecessor.sol";

/// @notice The state of a vault that its successor continues.
interface ISpotVault {
    /// @notice The nonce of the account's next release.
    function releaseNonce(address account) external view returns (uint256);

    /// @notice The number of the account's next deposit.
    function depositCount(address account) external view returns (uint256);
}

/// @title The spot wallet's vault: deposits in, signed withdrawals out
/// @notice The exchange credits the amount of a `Deposited` event. A withdrawal is paid once, to
/// the account that the operator's signature names, in the order of nonces. Amounts beyond a
/// token's limits wait in a queue, where guardians can void them; so a stolen key can take no more
/// at once than the limits allow. A vault may continue another one and its numbering.
contract SpotVault is Guarded, EIP712, ReentrancyGuard {
    using EnumerableSet for EnumerableSet.AddressSet;
    using LeakyWindow for LeakyWindow.Use;
    using SafeERC20 for IERC20;

    /// @notice The limits of a token; amounts in its smallest unit.
    /// @param instantMax the maximum that one release pays at once
    /// @param windowMax the maximum that releases together pay at once; it refills evenly
    /// @param floor the minimum that a sweep leaves
    /// @param highMark the balance above which anyone may sweep
    /// @param period the seconds in which all of `windowMax` refills
    /// @param delay the seconds that a queued release waits
    struct Limits {
        uint128 instantMax;
        uint128 windowMax;
        uint128 floor;
        uint128 highMark;
        uint32 period;
        uint32 delay;
    }

    /// @notice A release that waits.
    struct QueuedRelease {
        address account;
        uint64 payableAt;
        address token;
        address signer;
        uint256 amount;
    }

    /// @notice The EIP-712 type that the operator signs.
    bytes32 public constant VAULT_RELEASE_TYPEHASH =
        keccak256(
            "VaultRelease(address account,address token,uint256 value,uint256 nonce,uint256 deadline)"
        );
    /// @notice The longest delay of a queued release, which also applies to a token without limits.
    uint32 public constant DELAY_MAX = 7 days;

    /// @notice The vault that this one continues; zero for none.
    address public immutable predecessor;

    EnumerableSet.AddressSet private _tokens;
    mapping(address account => uint256) private _releaseNonces;
    mapping(address account => uint256) private _depositCounts;
    /// @notice The vault's balance of a token by its own books: deposits and refills less payments
    /// and sweeps.
    mapping(address token => uint256) public accounted;
    mapping(address token => Limits) private _limits;
    mapping(address token => LeakyWindow.Use) private _windowUse;

    /// @notice Receives sweeps, and may evacuate.
    address public coldWallet;
    /// @notice Whether deposits are refused while releases continue.
    bool public depositsPaused;
    /// @notice Signers whose signatures and queued releases are permanently void.
    mapping(address signer => bool) public isVoid;
    /// @notice The signers that can have releases in the queue.
    EnumerableSet.AddressSet private _signers;
    mapping(address token => mapping(address signer => uint256)) private _queuedBy;
    mapping(uint256 id => QueuedRelease) private _queue;
    /// @notice The id of the next queued release; ids rise from 1.
    uint256 public nextQueueId = 1;

    /// @notice The vault received `amount`; `number` rises by one with each deposit of the account.
    event Deposited(
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 number
    );
    /// @notice The vault paid a signed withdrawal at once.
    event Released(address indexed account, address indexed token, uint256 amount, uint256 nonce);
    /// @notice A signed withdrawal exceeds the limits and can be paid from `payableAt` on.
    event ReleaseQueued(
        uint256 indexed id,
        address indexed account,
        address indexed token,
        uint256 amount,
        uint256 nonce,
        uint256 payableAt
    );
    /// @notice A queued withdrawal was paid.
    event QueuedPaid(
        uint256 indexed id,
        address indexed account,
        address indexed token,
        uint256 amount
    );
    /// @notice A queued withdrawal will never be paid.
    event QueuedCancelled(uint256 indexed id);
    /// @notice Everything that the signer signed and that is not paid is permanently void.
    event SignerVoided(address indexed signer);
    /// @notice A token's limits were changed.
    event LimitsChanged(address indexed token, Limits previous, Limits current);
    /// @notice Money was sent to the cold wallet.
    event Swept(address indexed token, address indexed to, uint256 amount);
    /// @notice Money arrived that is not a deposit.
    event Refilled(address indexed token, address indexed from, uint256 amount);
    /// @notice The owner withdrew money that is not in the books.
    event SurplusRescued(address indexed token, address indexed to, uint256 amount);
    /// @notice Deposits were stopped, or allowed again.
    event DepositsPausedChanged(bool wasPaused, bool isPaused);
    /// @notice The cold wallet was replaced.
    event ColdWalletChanged(address indexed previousWallet, address indexed newWallet);
    /// @notice The owner allowed or disallowed deposits of a token.
    event TokenSupportChanged(address indexed token, bool supported);

    /// @notice Only the cold wallet may do this.
    error NotColdWallet(address caller);
    /// @notice This token cannot be deposited.
    error TokenNotSupported(address token);
    /// @notice Deposits are stopped.
    error DepositsPaused();
    /// @notice A deposit or release of nothing.
    error ZeroAmount();
    /// @notice The nonce is not the account's next one.
    error InvalidNonce(address account, uint256 expected, uint256 given);
    /// @notice The signature is past its deadline.
    error SignatureExpired(uint256 deadline);
    /// @notice The signature is not the operator's over exactly this release.
    error InvalidSigner(address recovered);
    /// @notice There is no such release in the queue: it is paid, cancelled, void or unknown.
    error NotQueued(uint256 id);
    /// @notice The release has to wait longer.
    error NotPayableYet(uint256 id, uint256 payableAt);
    /// @notice The vault does not hold enough of the token.
    error NotFunded(address token, uint256 accounted, uint256 amount);
    /// @notice There is nothing above the high mark to sweep.
    error BelowHighMark(address token);
    /// @notice The vault holds less than this amount beyond its books.
    error NoSurplus(address token, uint256 surplus);
    /// @notice A guardian may only tighten limits.
    error NotTighter();
    /// @notice The limits contradict each other.
    error InvalidLimit();

    /// @param tokens the tokens that can be deposited from the start
    /// @param roles the initial holders of the roles; the operator signs releases
    /// @param initialColdWallet where sweeps go; zero for none
    /// @param continued the vault that this one continues, which must have ended; or zero
    /// @param domainName the EIP-712 domain's name, at most 31 bytes
    constructor(
        address[] memory tokens,
        Roles memory roles,
        address initialColdWallet,
        address continued,
        string memory domainName
    ) Guarded(roles) EIP712(domainName, "1") {
        Predecessor.requireEnded(continued);
        predecessor = continued;
        if (initialColdWallet != address(0)) _setColdWallet(initialColdWallet);
        for (uint256 i = 0; i < tokens.length; ++i) _setTokenSupport(tokens[i], true);
    }

    /// @notice Takes an amount of a token from the caller, who must have approved it.
    /// @dev The amount that arrives counts, so a token that keeps a fee credits only the rest.
    function deposit(address token, uint256 amount) external nonReentrant whenActive {
        if (depositsPaused) revert DepositsPaused();
        if (!_tokens.contains(token)) revert TokenNotSupported(token);
        uint256 number = depositCount(msg.sender);
        ++_depositCounts[msg.sender];
        uint256 received = _take(token, amount);
        emit Deposited(msg.sender, token, received, number);
    }

    /// @notice Takes an amount of a token from the caller that is not a deposit.
    function refill(address token, uint256 amount) external nonReentrant {
        if (retired) revert ContractRetired();
        emit Refilled(token, msg.sender, _take(token, amount));
    }

    /// @notice Pays a signed withdrawal to the caller, the account that the signature names. A
    /// withdrawal that exceeds the token's limits or the balance is queued.
    /// @param token the token to pay
    /// @param amount in the token's smallest unit
    /// @param nonce must be the caller's `releaseNonce`
    /// @param deadline the last second, in Unix time, at which the signature is valid
    /// @param signature the operator's over (caller, token, amount, nonce, deadline)
    function release(
        address token,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external nonReentrant whenActive {
        if (block.timestamp > deadline) revert SignatureExpired(deadline);
        if (amount == 0) revert ZeroAmount();
        uint256 expected = releaseNonce(msg.sender);
        if (nonce != expected) revert InvalidNonce(msg.sender, expected, nonce);
        ++_releaseNonces[msg.sender];
        address signer = ECDSA.recoverCalldata(
            releaseDigest(msg.sender, token, amount, nonce, deadline),
            signature
        );
        if (signer != operator || isVoid[signer]) revert InvalidSigner(signer);
        if (_countInstant(token, amount)) {
            emit Released(msg.sender, token, amount, nonce);
            _pay(token, msg.sender, amount);
        } else {
            _enqueue(token, amount, nonce, signer);
        }
    }

    /// @notice Pays a release that has waited long enough, to its account.
    function payQueued(uint256 id) external nonReentrant whenActive {
        QueuedRelease memory entry = _requireQueued(id);
        if (block.timestamp < entry.payableAt) revert NotPayableYet(id, entry.payableAt);
        uint256 holds = accounted[entry.token];
        if (entry.amount > holds) revert NotFunded(entry.token, holds, entry.amount);
        _dequeue(id, entry);
        emit QueuedPaid(id, entry.account, entry.token, entry.amount);
        _pay(entry.token, entry.account, entry.amount);
    }

    /// @notice Permanently cancels releases; those that are not queued are skipped, so paying one
    /// of them first does not save the others.
    function cancelQueued(uint256[] calldata ids) external onlyGuardians {
        for (uint256 i = 0; i < ids.length; ++i) {
            if (!isQueued(ids[i])) continue;
            _dequeue(ids[i], _queue[ids[i]]);
            emit QueuedCancelled(ids[i]);
        }
    }

    /// @notice Permanently voids everything that the signer signed and that is not paid yet; pauses
    /// the vault if the signer is its operator.
    function voidSigner(address signer) external onlyGuardians {
        isVoid[signer] = true;
        _signers.remove(signer);
        emit SignerVoided(signer);
        if (signer == operator && !paused()) _pause();
    }

    /// @notice Sets a token's limits. The used part of its window stays used.
    function setLimit(address token, Limits calldata limits_) external onlyOwner {
        if (
            limits_.period == 0 ||
            limits_.instantMax > limits_.windowMax ||
            limits_.floor > limits_.highMark ||
            limits_.delay > DELAY_MAX
        ) revert InvalidLimit();
        _storeLimits(token, limits_);
    }

    /// @notice Tightens the amounts and delays of a token's releases.
    function lowerLimit(
        address token,
        uint128 instantMax,
        uint128 windowMax,
        uint32 delay
    ) external onlyGuardians {
        Limits memory tighter = _limits[token];
        if (
            instantMax > tighter.instantMax ||
            windowMax > tighter.windowMax ||
            delay < tighter.delay ||
            delay > DELAY_MAX
        ) revert NotTighter();
        tighter.instantMax = instantMax;
        tighter.windowMax = windowMax;
        tighter.delay = delay;
        _storeLimits(token, tighter);
    }

    /// @notice Sends the balance above a token's high mark and queue to the cold wallet, down to
    /// the middle between floor and high mark.
    function sweep(address token) external nonReentrant {
        if (coldWallet == address(0)) revert InvalidRole(address(0));
        Limits storage bounds = _limits[token];
        uint256 queued = queuedTotal(token);
        if (accounted[token] <= bounds.highMark + queued) revert BelowHighMark(token);
        uint256 keep = (uint256(bounds.floor) + bounds.highMark) / 2 + queued;
        _sweep(token, accounted[token] - keep);
    }

    /// @notice Sends the booked balance of a token to the cold wallet, at any time; if the vault
    /// holds less, all of that.
    function evacuate(address token) external nonReentrant {
        if (msg.sender != coldWallet) revert NotColdWallet(msg.sender);
        uint256 holds = IERC20(token).balanceOf(address(this));
        _sweep(token, holds < accounted[token] ? holds : accounted[token]);
    }

    /// @notice Retires this vault; everything queued is void.
    function retire() external onlyOwner {
        _retire();
    }

    /// @notice Stops deposits (guardians), or allows them again (council); releases continue.
    function setDepositsPaused(bool pausing) external onlyGuardians {
        if (!pausing && msg.sender != council) revert NotCouncil(msg.sender);
        emit DepositsPausedChanged(depositsPaused, pausing);
        depositsPaused = pausing;
    }

    /// @notice Pays out what arrived by plain transfers, outside the books.
    function rescueSurplus(
        address token,
        address to,
        uint256 amount
    ) external onlyOwner nonReentrant {
        uint256 holds = IERC20(token).balanceOf(address(this));
        uint256 surplus = holds > accounted[token] ? holds - accounted[token] : 0;
        if (amount > surplus) revert NoSurplus(token, surplus);
        emit SurplusRescued(token, to, amount);
        IERC20(token).safeTransfer(to, amount);
    }

    /// @notice Allows or disallows deposits of a token; releases are not affected.
    function setTokenSupport(address token, bool supported) external onlyOwner {
        _setTokenSupport(token, supported);
    }

    /// @notice Replaces the cold wallet.
    function setColdWallet(address newWallet) external onlyOwner {
        _setColdWallet(newWallet);
    }

    /// @notice The nonce that the account's next release must have, counted over all vaults.
    function releaseNonce(address account) public view returns (uint256) {
        uint256 before = predecessor == address(0)
            ? 0
            : ISpotVault(predecessor).releaseNonce(account);
        return _releaseNonces[account] + before;
    }

    /// @notice The number of the account's deposits in all vaults; the number of the next one.
    function depositCount(address account) public view returns (uint256) {
        uint256 before = predecessor == address(0)
            ? 0
            : ISpotVault(predecessor).depositCount(account);
        return _depositCounts[account] + before;
    }

    /// @notice The token's limits.
    function limits(address token) external view returns (Limits memory) {
        return _limits[token];
    }

    /// @notice The part of the token's `windowMax` that is used now.
    function windowUsed(address token) public view returns (uint256) {
        return _windowUse[token].current(_limits[token].windowMax, _limits[token].period);
    }

    /// @notice The queued amount of the token that is not void.
    function queuedTotal(address token) public view returns (uint256 sum) {
        if (retired) return 0;
        uint256 count = _signers.length();
        for (uint256 i = 0; i < count; ++i) sum += _queuedBy[token][_signers.at(i)];
    }

    /// @notice A release that was queued; empty once it is paid or cancelled.
    function queuedRelease(uint256 id) external view returns (QueuedRelease memory) {
        return _queue[id];
    }

    /// @notice Whether the release waits and is not void.
    function isQueued(uint256 id) public view returns (bool) {
        return !retired && _queue[id].amount != 0 && !isVoid[_queue[id].signer];
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

    /// @notice The tokens that can be deposited.
    function supportedTokens() external view returns (address[] memory) {
        return _tokens.values();
    }

    function _isCold(address account) internal view override returns (bool) {
        return account == coldWallet || super._isCold(account);
    }

    function _setOperator(address newOperator) internal override {
        if (isVoid[newOperator]) revert InvalidRole(newOperator);
        super._setOperator(newOperator);
        _signers.add(newOperator);
    }

    /// @dev Uses the window if the release is within all limits and can be paid.
    function _countInstant(address token, uint256 amount) private returns (bool) {
        Limits storage bounds = _limits[token];
        if (amount > bounds.instantMax || amount > accounted[token]) return false;
        uint256 used = windowUsed(token) + amount;
        if (used > bounds.windowMax) return false;
        _windowUse[token].set(used);
        return true;
    }

    function _enqueue(address token, uint256 amount, uint256 nonce, address signer) private {
        uint256 id = nextQueueId++;
        uint256 delay = _limits[token].period == 0 ? DELAY_MAX : _limits[token].delay;
        uint64 payableAt = uint64(block.timestamp + delay);
        _queue[id] = QueuedRelease(msg.sender, payableAt, token, signer, amount);
        _queuedBy[token][signer] += amount;
        emit ReleaseQueued(id, msg.sender, token, amount, nonce, payableAt);
    }

    function _requireQueued(uint256 id) private view returns (QueuedRelease memory) {
        if (!isQueued(id)) revert NotQueued(id);
        return _queue[id];
    }

    function _dequeue(uint256 id, QueuedRelease memory entry) private {
        delete _queue[id];
        _queuedBy[entry.token][entry.signer] -= entry.amount;
    }

    function _take(address token, uint256 amount) private returns (uint256 received) {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        received = IERC20(token).balanceOf(address(this)) - before;
        if (received == 0) revert ZeroAmount();
        accounted[token] += received;
    }

    function _pay(address token, address to, uint256 amount) private {
        accounted[token] -= amount;
        IERC20(token).safeTransfer(to, amount);
    }

    function _sweep(address token, uint256 amount) private {
        if (amount == 0) revert ZeroAmount();
        emit Swept(token, coldWallet, amount);
        _pay(token, coldWallet, amount);
    }

    function _storeLimits(address token, Limits memory limits_) private {
        _windowUse[token].set(windowUsed(token));
        emit LimitsChanged(token, _limits[token], limits_);
        _limits[token] = limits_;
    }

    function _setColdWallet(address newWallet) private {
        _requireColdCandidate(newWallet);
        emit ColdWalletChanged(coldWallet, newWallet);
        coldWallet = newWallet;
    }

    function _setTokenSupport(address token, bool supported) private {
        bool isChange = supported ? _tokens.add(token) : _tokens.remove(token);
        if (isChange) emit TokenSupportChanged(token, supported);
    }
}
