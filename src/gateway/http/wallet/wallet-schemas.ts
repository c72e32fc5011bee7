import { type TSchema, Type } from 'typebox';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';

// Withdrawals, deposits and lists of the wallet endpoints.

export const walletTag = 'Spot wallet';

export const withdrawalIdText = Type.String({
  description: 'The id of the withdrawal, a UUID',
  examples: ['6f1c3c3e-7a2b-4f0e-9a53-2c1d8f1f0b11'],
});

const tokenText = Type.String({ description: 'The token', examples: ['DF'] });

/** A token in a request; whether it is supported is checked with the error table. */
export function tokenField(description: string, example = 'DF') {
  return Type.String({ description, minLength: 1, maxLength: 64, examples: [example] });
}

const hashText = (description: string) =>
  Type.String({
    description,
    examples: ['0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b'],
  });

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] });

/** What a caller needs to submit a release to the vault. */
export const signedWithdrawalFields = {
  id: withdrawalIdText,
  token: tokenText,
  amount: decimalText('The amount deducted from the balance', '12.5'),
  raw_amount: Type.String({
    description: "The same in the token's smallest unit, as the contract expects it",
    examples: ['12500000000000000000'],
  }),
  nonce: nullable(count("The contract's nonce of this release; null before it is signed", 0)),
  deadline: nullable(
    count(
      'The last Unix second at which the contract accepts the signature; null before',
      1767575400,
    ),
  ),
  signature: nullable(
    Type.String({
      description: 'The EIP-712 signature over the release, in hex; null before',
      examples: ['0x5d99b6...1b'],
    }),
  ),
  contract_address: addressText('The vault'),
  chain_id: count('The chain of the vault', 31337),
  status: oneOf(['review', 'approved', 'signed', 'queued', 'completed', 'returned', 'expired'], {
    description:
      'review: two people review it first; approved: request its signature; signed: submit ' +
      'it to the vault; queued: released beyond the limits of the vault, which pays it to ' +
      'its account when anybody calls payQueued at or after payable_at; completed: the ' +
      'payment is confirmed on chain; returned: it was refused or removed from the queue, ' +
      'and the amount is available again; expired: the deadline has passed on chain without ' +
      'a release, and the amount is available again',
  }),
};

export const payableAt = Type.Optional(
  Type.Integer({
    description:
      'When the vault will pay it, in Unix seconds: for a queued withdrawal, and in the ' +
      'response with a new signature if the vault cannot pay that much immediately',
    examples: [1767661800],
  }),
);

export const withdrawalSchema = strictObject(
  {
    ...signedWithdrawalFields,
    payable_at: payableAt,
    tx_hash: nullable(hashText('The transaction of the release; null before it is confirmed')),
    created_at: timeText('When it was requested'),
    finished_at: nullable(timeText('When it was completed, returned or expired; null before')),
  },
  { title: 'SpotWithdrawal' },
);

export const depositSchema = strictObject(
  {
    number: count("The vault's number of the account's deposit, from 0", 0),
    token: nullable(Type.String({ description: 'Null until it is credited', examples: ['DF'] })),
    token_address: addressText("The token's contract"),
    amount: nullable(
      decimalText(
        'The credited amount, truncated to 8 decimals; null while it is not known',
        '100',
      ),
    ),
    raw_amount: Type.String({
      description: "The amount that the vault received, in the token's smallest unit",
      examples: ['100000000000000000000'],
    }),
    tx_hash: hashText('The transaction of the deposit'),
    status: oneOf(['pending', 'credited'], {
      description: 'pending: seen on the confirmed chain; credited: part of the balance',
    }),
    created_at: timeText('When it was seen'),
    credited_at: nullable(timeText('When it was credited; null before')),
  },
  { title: 'Deposit' },
);

export function walletListSchema<S extends TSchema>(item: S) {
  return strictObject({
    items: Type.Array(item, { description: 'The page, newest first' }),
    next_cursor: nullable(
      Type.String({ description: 'The cursor of the next page; null on the last one' }),
    ),
  });
}
