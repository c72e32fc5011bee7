import { Type } from 'typebox';
import { count } from '../referral/referral-schemas.ts';
import { addressText, decimalText, nullable, oneOf, strictObject, timeText } from '../schema.ts';

// Schemas of what administrators read: accounts, and the audit of administration.

const termFields = {
  code: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The referral code; null before there is one',
    examples: ['SATOSHI_21'],
  }),
  tier_level: Type.Integer({ description: '0 Starter to 4 Diamond', examples: [2] }),
  rebate_rate: decimalText("The agent's share of a fee", '0.2'),
  status: oneOf(['active', 'suspended'], { description: 'A suspended agent earns nothing' }),
};

export const agentSchema = strictObject(
  {
    address: addressText('The agent'),
    ...termFields,
    direct_traders: count('Traders bound to it that are not affiliates'),
    created_at: timeText('When it created its code or was given terms'),
  },
  { title: 'Agent' },
);

const userFields = {
  address: addressText('The account'),
  username: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The username that it chose; null without one',
    examples: ['satoshi'],
  }),
  created_at: timeText('When the account was opened'),
  is_market_maker: Type.Boolean({
    description: "Takes part in the market makers' pool of seasons",
  }),
  vip_tier: Type.Integer({ description: 'The tier in effect, 0 to 5', examples: [1] }),
  vip_override: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Set by an administrator; null: by volume',
    examples: [null],
  }),
  agent: nullable(strictObject(termFields, { description: 'Its terms as a referrer' })),
  referrer: nullable(addressText('The account that it is bound to; null: none')),
};

export const userSchema = strictObject(userFields, { title: 'User' });

export const userWithBalancesSchema = strictObject({
  ...userFields,
  balances: Type.Array(
    strictObject({
      market: oneOf(['spot', 'futures'], { description: 'The wallet' }),
      token: Type.String({ description: 'The token', examples: ['USDT'] }),
      available: decimalText('Not set aside', '1000'),
      locked: decimalText('Set aside for orders or withdrawals', '25'),
    }),
    { description: 'The perp wallet first, then the spot balances' },
  ),
});

export const auditSchema = strictObject(
  {
    id: Type.String({ description: 'The id of the row', examples: ['audit-42'] }),
    action: Type.String({ description: 'The action', examples: ['set_market_maker'] }),
    detail: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description: 'The details; the fields depend on the action',
      examples: [{ address: `0x${'79c8'.repeat(10)}`, is_market_maker: true }],
    }),
    actor: Type.String({ description: 'Who performed it', examples: ['admin_api_key'] }),
    sequence: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: "The command's sequence in the journal; null if only the database was changed",
      examples: [1042],
    }),
    created_at: timeText('When it was done'),
  },
  { title: 'AuditEntry' },
);
