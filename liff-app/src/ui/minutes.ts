/** "5–15 นาที" */
export const formatMinutes = ({ from, to }: { from: number; to: number }): string => `${from}–${to} นาที`
