import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { headerLines, type LaneAnswer } from './lane-answer.ts';
import type { AnswerSink, OrderLane } from './order-lane.ts';
import { PlainRequestReader } from './plain-request.ts';

// Connections that carry only plain orders, one after another, as those of trading programs do.
// Each connection begins here. With the first bytes that are not such an order it is handed over
// permanently to node:http, starting with those bytes. So no request is parsed by two sets of
// rules.

export interface ConnectionRules {
  /** How long a client can take to send the first bytes. */
  readonly firstBytesMs: number;
  /** Called for a client that takes longer. */
  readonly onSilence: (socket: Socket) => void;
  /** How long a connection can be idle between two orders. */
  readonly keepAliveMs: number;
}

type GiveToHttp = (socket: Socket) => void;

interface ConnectionParts {
  readonly lane: OrderLane;
  readonly rules: ConnectionRules;
  readonly giveToHttp: GiveToHttp;
  /** The end of an answer's head if the connection stays open. */
  readonly keepAliveLines: string;
  /** The connections that were not handed over to node:http. */
  readonly open: Set<LaneConnection>;
}

/** Handles new connections before the server's own listener. */
export class LaneConnections {
  readonly #lane: OrderLane;
  readonly #rules: ConnectionRules;
  readonly #open = new Set<LaneConnection>();

  constructor(lane: OrderLane, rules: ConnectionRules) {
    this.#lane = lane;
    this.#rules = rules;
  }

  interceptConnections(server: Server): void {
    const [listener] = server.listeners('connection') as GiveToHttp[];
    if (listener === undefined) return;
    server.removeAllListeners('connection');
    const seconds = this.#rules.keepAliveMs / 1000;
    const parts: ConnectionParts = {
      keepAliveLines: `connection: keep-alive\r\nkeep-alive: timeout=${seconds}\r\n\r\n`,
      lane: this.#lane,
      rules: this.#rules,
      giveToHttp: (socket) => listener.call(server, socket),
      open: this.#open,
    };
    server.on('connection', (socket: Socket) => {
      this.#open.add(new LaneConnection(socket, parts));
    });
  }

  /** Closes idle connections; a busy connection closes after its answer. */
  closeIdle(): void {
    for (const connection of this.#open) connection.closeIfIdle();
  }
}

class LaneConnection implements AnswerSink {
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  readonly #reader = new PlainRequestReader();
  readonly #peer: string | undefined;
  #isAnswering = false;
  #hasAnswered = false;
  #hasEnded = false;

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket;
    this.#parts = parts;
    this.#peer = socket.remoteAddress;
    socket.setTimeout(parts.rules.firstBytesMs);
    socket.on('data', this.#onData);
    socket.on('timeout', this.#onTimeout);
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.on('close', this.#onClose);
  }

  closeIfIdle(): void {
    if (!this.#isAnswering) this.#socket.destroySoon();
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isAnswering) {
      // Putting the bytes back also keeps an end event that follows from overtaking them.
      this.#socket.pause();
      this.#socket.unshift(bytes);
      return;
    }
    const begunAt = performance.now();
    const request = this.#reader.read(bytes);
    const order = request && this.#parts.lane.read(request, this.#peer, begunAt);
    if (order === null) return this.#passToHttp(bytes);
    this.#isAnswering = true;
    this.#parts.lane.answer(order, this);
  };

  send(answer: LaneAnswer): void {
    this.#isAnswering = false;
    if (this.#socket.writable) this.#write(answer);
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  #write(answer: LaneAnswer): void {
    const { lane, rules } = this.#parts;
    const { status, body, bodyBytes } = answer;
    const isLast = lane.isClosing || this.#hasEnded;
    const end = isLast ? 'connection: close\r\n\r\n' : this.#parts.keepAliveLines;
    const text =
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines(answer)}` +
      `date: ${httpDate()}\r\n${end}${body}`;
    // Plain ASCII, as in orders, needs no encoding.
    this.#socket.write(text, bodyBytes === body.length ? 'latin1' : 'utf8');
    if (isLast) return this.#socket.destroySoon();
    if (!this.#hasAnswered) this.#socket.setTimeout(rules.keepAliveMs);
    this.#hasAnswered = true;
  }

  /** Hands the connection over to node:http, starting with these bytes. */
  #passToHttp(bytes: Buffer): void {
    const socket = this.#socket;
    if (socket.destroyed) return;
    socket.setTimeout(0);
    socket.off('data', this.#onData);
    socket.off('timeout', this.#onTimeout);
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    socket.off('close', this.#onClose);
    this.#onClose();
    socket.unshift(bytes);
    this.#parts.giveToHttp(socket);
    socket.resume();
  }

  readonly #onTimeout = (): void => {
    if (this.#isAnswering) return;
    if (this.#hasAnswered) this.#socket.destroySoon();
    else this.#parts.rules.onSilence(this.#socket);
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    if (!this.#isAnswering) this.#socket.end();
  };

  readonly #onError = (): void => {
    this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#parts.open.delete(this);
  };
}

let dateText = '';
let dateSecond = 0;

// The date header is formatted once a second, not for every answer.
function httpDate(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
