const range = (from: number, to: number): string => (from === to ? String(to) : `${from}–${to}`)

/** "5–15 นาที", "7 นาที"; from two hours on "1–3 ชม.". */
export const formatMinutes = ({ from, to }: { from: number; to: number }): string =>
  to < 120 ? `${range(from, to)} นาที` : `${range(Math.ceil(from / 60), Math.ceil(to / 60))} ชม.`
