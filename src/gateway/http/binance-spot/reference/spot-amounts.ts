import { decimal } from '../../fapi/reference/field-schemas.ts';

// Amounts by their unit.

export const quote = (description: string, example = '64000.5') =>
  decimal(`${description}, in the quote asset`, example);
export const base = (description: string, example = '0.25') =>
  decimal(`${description}, in the base asset`, example);
export const price = (description: string, example = '64000.5') =>
  decimal(`${description}, of the quote asset for one of the base asset`, example);
