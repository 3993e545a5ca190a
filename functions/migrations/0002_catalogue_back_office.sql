CREATE TABLE "catalogue_version" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"version" bigint NOT NULL,
	CONSTRAINT "catalogue_version_one_row" CHECK ("catalogue_version"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "terms" (
	"version" text PRIMARY KEY NOT NULL,
	"body" text NOT NULL,
	"published_at" timestamp (3) with time zone NOT NULL,
	"published_by" text
);
--> statement-breakpoint
ALTER TABLE "banner" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "banner" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "banner" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "qms_game_id" text;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "search_words" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "field_formats" jsonb DEFAULT '[null,null,null,null,null]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "player_hint" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "player_hint_picture" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "player_check" text;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "game" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "package" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "package_price" ADD COLUMN "next_price_satang" bigint;--> statement-breakpoint
ALTER TABLE "package_price" ADD COLUMN "next_day" date;--> statement-breakpoint
ALTER TABLE "receiving_account" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "receiving_account" ADD COLUMN "updated_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "receiving_account" ADD COLUMN "updated_by" text;--> statement-breakpoint
ALTER TABLE "package_price" ADD CONSTRAINT "package_price_next_whole_baht" CHECK ("package_price"."next_price_satang" > 0 AND "package_price"."next_price_satang" % 100 = 0);--> statement-breakpoint
ALTER TABLE "package_price" ADD CONSTRAINT "package_price_next_complete" CHECK (("package_price"."next_price_satang" IS NULL) = ("package_price"."next_day" IS NULL));--> statement-breakpoint
INSERT INTO "catalogue_version" ("version") VALUES (1);--> statement-breakpoint
INSERT INTO "terms" ("version", "published_at", "body") VALUES ('1', '2026-11-20 00:00:00+07', 'การเติมเกม
- ร้านเติมแพ็กเกจที่เลือกเข้าบัญชีผู้เล่นตามข้อมูลที่กรอกไว้ในคำสั่งซื้อ
- รายการที่สำเร็จ เข้าเกมใน 5–60 นาที หลังตรวจพบยอดเงิน
- หากเกมปิดปรับปรุง การเติมอาจใช้เวลานานขึ้น ทีมงานจะแจ้งให้ทราบ

การชำระเงิน
- การโอนเงินต้องตรงทุกสตางค์ตามยอดที่ระบบกำหนด และภายในเวลาที่แสดง
- สลิปช่วยให้ทีมงานตรวจได้เร็วขึ้น แต่ไม่ใช่หลักฐานว่าร้านได้รับเงินแล้ว
- หากโอนไม่ตรงยอดหรือเกินเวลา ทีมงานจะตรวจและติดต่อกลับ ไม่ต้องโอนซ้ำ

การยกเลิกและคืนเงิน
- ไม่สามารถยกเลิกหรือคืนเงินหลังทำรายการ
- หากกรอก ID ผิด ไม่สามารถคืนเงินได้
- หากร้านเติมไม่สำเร็จ เงินของคุณยังอยู่กับร้าน ทีมงานจะติดต่อเพื่อคืนเงินหรือเติมใหม่

ข้อมูลส่วนบุคคล
- ร้านใช้ข้อมูลที่กรอกและสลิปเพื่อเติมเกม ตรวจยอดเงิน และติดต่อเรื่องคำสั่งซื้อเท่านั้น');--> statement-breakpoint
UPDATE "game" SET "player_check" = 'midasbuy' WHERE "code" = 'pubg';--> statement-breakpoint
UPDATE "orders" o SET "snapshot" = o.snapshot || jsonb_build_object(
  'gameName', g.name, 'gamePicture', g.picture,
  'usualMinutes', jsonb_build_object('from', g.usual_minutes_from, 'to', g.usual_minutes_to),
  'receivingAccount', (SELECT jsonb_build_object('id', r.id, 'code', r.bank_code, 'logo', r.logo, 'accountName', r.account_name,
    'accountNo', r.account_no, 'branch', r.branch, 'promptPayId', r.prompt_pay_id)
    FROM "receiving_account" r WHERE r.id = o.receiving_account_id))
FROM "game" g WHERE g.id = o.game_id;
