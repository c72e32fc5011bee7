import { administrationParts } from './contract/administration-rows.ts';
import { binanceClientParts } from './contract/binance-client-rows.ts';
import { derivativesParts } from './contract/derivatives-rows.ts';
import { familyParts } from './contract/family-rows.ts';
import { operationParts } from './contract/operation-rows.ts';
import { pointsParts } from './contract/points-rows.ts';
import { referralParts } from './contract/referral-rows.ts';
import { settingParts } from './contract/setting-rows.ts';
import { signInParts } from './contract/sign-in-rows.ts';
import { solidityParts } from './contract/solidity-rows.ts';
import { spotParts } from './contract/spot-rows.ts';
import { streamParts } from './contract/stream-rows.ts';
import { authenticationParts } from './interface/authentication-rows.ts';
import { eventParts } from './interface/event-rows.ts';
import { fapiErrorParts } from './interface/fapi-error-rows.ts';
import { limitParts } from './interface/limit-rows.ts';
import { marketAndPointsResourceParts } from './interface/market-and-points-resource-rows.ts';
import { orderRuleParts } from './interface/order-rule-rows.ts';
import { pointsEndpointParts } from './interface/points-endpoint-rows.ts';
import { referralAndAdminErrorParts } from './interface/referral-and-admin-error-rows.ts';
import { referralEndpointParts } from './interface/referral-endpoint-rows.ts';
import { referralResourceParts } from './interface/referral-resource-rows.ts';
import { serviceParts } from './interface/service-rows.ts';
import { spotErrorParts } from './interface/spot-error-rows.ts';
import { stateParts } from './interface/state-rows.ts';
import { tradingEndpointParts } from './interface/trading-endpoint-rows.ts';
import { versionParts } from './interface/version-rows.ts';
import type { Chapter } from './row.ts';

/** All that the page shows, in the order of the interface. */
export const chapters: readonly Chapter[] = [
  {
    title: 'The interface',
    parts: [
      ...serviceParts,
      ...referralResourceParts,
      ...marketAndPointsResourceParts,
      ...stateParts,
      ...referralEndpointParts,
      ...pointsEndpointParts,
      ...tradingEndpointParts,
      ...orderRuleParts,
      ...authenticationParts,
      ...eventParts,
      ...referralAndAdminErrorParts,
      ...spotErrorParts,
      ...fapiErrorParts,
      ...limitParts,
      ...versionParts,
    ],
  },
  {
    title: 'What the interface leaves open',
    parts: [
      ...familyParts,
      ...settingParts,
      ...signInParts,
      ...referralParts,
      ...solidityParts,
      ...administrationParts,
      ...pointsParts,
      ...spotParts,
      ...derivativesParts,
      ...binanceClientParts,
      ...streamParts,
      ...operationParts,
    ],
  },
];
