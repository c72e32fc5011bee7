import { Type } from 'typebox';
import { addressText, nullable, strictObject, timeText } from '../schema.ts';

export const usernameField = Type.String({
  pattern: '^[A-Za-z0-9_]{3,24}$',
  description: 'The name shown on leaderboards; 3 to 24 letters, digits and underscores',
  examples: ['satoshi_1'],
});

export const profileSchema = strictObject(
  {
    address: addressText("The account's address"),
    username: nullable(usernameField),
    created_at: timeText('When the account was opened'),
  },
  { title: 'Profile' },
);
