-- What fails is refunded, and only what was delivered to a wrong id is not. Only the first terms of a shop that nobody has
-- used, as in 0021: accepted ones stay as read, and a shop at work publishes its own.
UPDATE "terms" SET "body" = replace(replace(replace("body",
  '- ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ', '- ยกเลิกได้ก่อนชำระเงิน เมื่อชำระแล้ว ร้านจะเติมให้ตามที่สั่ง'),
  '- หากกรอก ID ผิด ไม่สามารถคืนเงินได้', '- หากกรอก ID ผิด และร้านเติมให้ ID นั้นสำเร็จแล้ว ไม่สามารถคืนเงินได้'),
  '- หากร้านเติมไม่สำเร็จ เงินของคุณยังอยู่กับร้าน ทีมงานจะติดต่อเพื่อคืนเงินหรือเติมใหม่', '- หากร้านเติมไม่สำเร็จ แก้ข้อมูลผู้เล่นเพื่อให้ร้านเติมใหม่ได้ หรือร้านคืนเงินเต็มจำนวน
- เงินที่โอนมา ร้านคืนเข้าบัญชีที่คุณแจ้งในหน้าคำสั่งซื้อ เงินจากกระเป๋าเงิน ร้านคืนเข้ากระเป๋าเงิน')
WHERE "version" = '1' AND NOT EXISTS (SELECT 1 FROM "terms_acceptance") AND NOT EXISTS (SELECT 1 FROM "orders");
