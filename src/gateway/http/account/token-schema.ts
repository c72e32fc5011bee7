import { Type } from 'typebox';
import { addressText, strictObject, timeText } from '../schema.ts';

/** A token as signing in and renewing answer it. */
export const tokenSchema = strictObject(
  {
    token: Type.String({
      description: 'Sent as `Authorization: Bearer <token>`',
      examples: ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIweDcwOTk3OTcwIn0.c2lnbmF0dXJl'],
    }),
    address: addressText("The account's address"),
    expires_at: timeText('When the token expires'),
  },
  { title: 'Token' },
);
