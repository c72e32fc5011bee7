import type { CreateCodePorts } from '../../../application/referral/create-referral-code.ts';
import type { ReferralReadPorts } from '../../../application/referral/referral-use-case.ts';
import { plainSurface } from '../../errors/plain-errors.ts';
import { changeReferralAgent } from '../admin/referral-agent.ts';
import type { SurfaceRoutes } from '../surface-routes.ts';
import { bind, unbind } from './bind.ts';
import { createCode } from './create-code.ts';
import { getDashboard } from './get-dashboard.ts';
import { getStatus } from './get-status.ts';
import { listAffiliates } from './list-affiliates.ts';
import { listEarnings } from './list-earnings.ts';
import { listLogs } from './list-logs.ts';
import { listTraders } from './list-traders.ts';
import { changeAffiliate, promoteAffiliate } from './promote-affiliate.ts';

export interface ReferralRoutePorts extends CreateCodePorts, ReferralReadPorts {}

/** Endpoints of the referral program. */
export function referralRoutes(ports: ReferralRoutePorts): SurfaceRoutes {
  const endpoints = [
    createCode(ports),
    bind(ports),
    unbind(ports),
    getStatus(ports),
    getDashboard(ports),
    listEarnings(ports),
    listLogs(ports),
    listTraders(ports),
    listAffiliates(ports),
    promoteAffiliate(ports),
    changeAffiliate(ports),
    changeReferralAgent(ports),
  ];
  return { surface: plainSurface, endpoints };
}
