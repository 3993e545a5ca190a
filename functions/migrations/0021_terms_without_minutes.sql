-- Each page tells its game's own minutes. Only the first terms of a shop that nobody has used: accepted ones stay as read.
UPDATE "terms" SET "body" = replace("body", 'เข้าเกมใน 5–60 นาที หลังตรวจพบยอดเงิน', 'เข้าเกมตามเวลาที่หน้าของเกมแจ้งไว้ นับจากตรวจพบยอดเงินในเวลาทำการ')
WHERE "version" = '1' AND NOT EXISTS (SELECT 1 FROM "terms_acceptance") AND NOT EXISTS (SELECT 1 FROM "orders");
