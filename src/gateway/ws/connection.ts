import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Address } from '../../domain/identifiers.ts';
import { encodeMessage, encodeTextFrames } from './frame.ts';
import { type CloseCode, closeCodes, type StreamError } from './protocol/stream-error.ts';
import type { StreamTarget } from './protocol/stream-target.ts';
import type { StreamLimits } from './stream-limits.ts';

/** The account that a connection is authenticated for. */
export interface ConnectionAccount {
  readonly address: Address;
  /** Milliseconds since 1970; null if the credential does not expire on its own. */
  readonly expiresAt: number | null;
  /** True once its session was ended. */
  readonly isEnded: () => boolean;
}

/** One subscription of a connection; ending it stops its messages. */
export interface Subscription {
  readonly target: StreamTarget;
  readonly isPrivate: boolean;
  end(): void;
}

/**
 * One client. Messages are written as prepared frames directly to the socket: `ws` sends only whole
 * control frames here (no compression, no fragments), so frames of both never interleave.
 */
export class Connection {
  readonly subscriptions = new Map<string, Subscription>();
  account: ConnectionAccount | null = null;

  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #limits: StreamLimits;
  readonly #takeFromAddress: (amount: number) => boolean;
  #answers: string[] = [];
  #writtenBytes = 0;
  #charges = 0;

  /** `takeFromAddress` counts on all connections of the client's address together. */
  constructor(
    webSocket: WebSocket,
    socket: Duplex,
    limits: StreamLimits,
    takeFromAddress: (amount: number) => boolean = () => true,
  ) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#limits = limits;
    this.#takeFromAddress = takeFromAddress;
  }

  get isOpen(): boolean {
    return this.#webSocket.readyState === this.#webSocket.OPEN;
  }

  /** Bytes that the client has not read yet and the kernel has not buffered. */
  get backlogBytes(): number {
    return this.#socket.writableLength;
  }

  /** Bytes that the client has read, or the kernel has buffered, since it connected. */
  get takenBytes(): number {
    return this.#writtenBytes - this.backlogBytes;
  }

  /** Counts messages or streams; false if the client's address has used up its allowance. */
  affords(amount: number): boolean {
    return this.#takeFromAddress(amount);
  }

  /** Counts what has been done for the client already, and delays its next messages by it. */
  charge(amount: number): void {
    if (amount === 0) return;
    this.#takeFromAddress(amount);
    this.#charges += amount;
  }

  /** What was charged since the last call. */
  takeCharges(): number {
    const charges = this.#charges;
    this.#charges = 0;
    return charges;
  }

  /** True if the account's private data can be sent to this connection at this time. */
  isAuthenticatedAs(address: Address, now: number): boolean {
    const { account } = this;
    if (account === null || account.address !== address || account.isEnded()) return false;
    return account.expiresAt === null || account.expiresAt > now;
  }

  /** Writes prepared frames; a client whose backlog is too large is closed instead. */
  write(frames: Buffer): boolean {
    if (!this.isOpen) return false;
    if (this.#socket.writableLength > this.#limits.backlogCloseBytes) {
      this.closeAsTooSlow();
      return false;
    }
    this.#socket.write(frames);
    this.#writtenBytes += frames.length;
    return true;
  }

  /**
   * Writes the text at the end of the turn, together with the other answers of that turn: orders of
   * one connection become durable together, and one write to the socket then serves them all.
   */
  answer(text: string): void {
    this.#answers.push(text);
    if (this.#answers.length === 1) process.nextTick(this.#writeAnswers);
  }

  readonly #writeAnswers = (): void => {
    const texts = this.#answers;
    if (texts.length === 0) return;
    this.#answers = [];
    this.write(encodeTextFrames(texts));
  };

  reply(message: object): void {
    this.write(encodeMessage(message));
  }

  refuse({ code, message }: StreamError, context: object = {}): void {
    this.reply({ type: 'error', code, message, ...context });
  }

  ping(): void {
    if (this.isOpen) this.#webSocket.ping();
  }

  closeAsTooSlow(): void {
    this.close(closeCodes.tryAgainLater, 'too slow: read faster or subscribe to less');
  }

  close(code: CloseCode, reason: string): void {
    this.#writeAnswers();
    if (this.isOpen) this.#webSocket.close(code, reason);
  }

  /** Calls back each time the backlog has drained. */
  onDrained(callback: () => void): void {
    this.#socket.on('drain', callback);
  }
}
