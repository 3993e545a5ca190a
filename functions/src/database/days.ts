/**
 * Returns the condition that a moment is within Bangkok days, both included, in a form that uses an index over moments.
 */
export const duringDays = (moment: string, from: string, to: string) =>
  `${moment} >= ${from}::date::timestamp AT TIME ZONE 'Asia/Bangkok' AND ${moment} < (${to}::date + 1)::timestamp AT TIME ZONE 'Asia/Bangkok'`

/** Returns the Bangkok day of a moment. */
export const dayOf = (moment: string) => `(${moment} AT TIME ZONE 'Asia/Bangkok')::date`
