import type { ByteReader } from '../../snapshot/byte-reader.ts';
import type { ByteWriter } from '../../snapshot/byte-writer.ts';
import { postWallet } from '../../snapshot/sums-of-version-6.ts';
import type { FuturesState } from '../futures-state.ts';
import { requireBig, writeBig } from '../snapshot-values.ts';
import type { FuturesAccount } from './futures-account.ts';

/** Encodes an account for a snapshot; its orders are encoded separately. */
export function encodeAccount(writer: ByteWriter, account: FuturesAccount): void {
  writer.writeUint32(account.accountId);
  writer.writeByte(account.isWarned ? 1 : 0);
  writer.writeUint32(account.fees.vipTier);
  writer.writeUint32(account.fees.vipMultiplierTenths);
  writer.writeUint32(account.fees.referralDiscountBps);
  const positions = account.positions.filter((position) => position !== undefined);
  writer.writeUint32(positions.length);
  for (const position of positions) {
    writer.writeUint32(position.marketId);
    writer.writeNumber(position.quantity);
    writeBig(writer, position.entryNotional);
    writeBig(writer, position.realizedProfit);
    writeBig(writer, position.fees);
    writeBig(writer, position.fundingIndex);
    writer.writeNumber(position.updatedAt);
    writer.writeNumber(position.number);
    writeBig(writer, position.fullNotional);
  }
  const leverages = [...account.leverages.entries()].filter(([, value]) => value !== undefined);
  writer.writeUint32(leverages.length);
  for (const [marketId, leverage = 0] of leverages) {
    writer.writeUint32(marketId);
    writer.writeUint32(leverage);
  }
}

/** Decodes what `encodeAccount` wrote after the account number, in this or an earlier version. */
export function decodeAccount(
  reader: ByteReader,
  state: FuturesState,
  account: FuturesAccount,
): void {
  if (reader.version === 6) postWallet(state, account, requireBig(reader), requireBig(reader));
  account.isWarned = reader.readByte() === 1;
  // Version 6 contains the amount that a close-out had closed so far, which no fee depends on.
  if (reader.version === 6) requireBig(reader);
  // Version 7 contains the time of a solvent account's last slice; its close-out starts over.
  if (reader.version === 7) reader.readNumber();
  account.fees = {
    vipTier: reader.readUint32(),
    vipMultiplierTenths: reader.readUint32(),
    referralDiscountBps: reader.readUint32(),
  };
  const positions = reader.readUint32();
  for (let at = 0; at < positions; at += 1) {
    const position = account.positionIn(reader.readUint32());
    account.touchStake(position.marketId);
    position.quantity = reader.readNumber();
    state.getMarket(position.marketId).netLots += position.quantity;
    position.entryNotional = requireBig(reader);
    state.addEntry(position.quantity, position.entryNotional);
    position.realizedProfit = requireBig(reader);
    position.fees = requireBig(reader);
    position.fundingIndex = requireBig(reader);
    position.updatedAt = reader.readNumber();
    if (reader.version < 10) continue;
    position.number = reader.readNumber();
    position.fullNotional = requireBig(reader);
  }
  const leverages = reader.readUint32();
  for (let at = 0; at < leverages; at += 1) {
    const marketId = reader.readUint32();
    account.leverages[marketId] = reader.readUint32();
  }
}
