CREATE TABLE "totp_browser" (
	"uid" text NOT NULL,
	"key_hash" text NOT NULL,
	"known_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "totp_browser_known" PRIMARY KEY("uid","key_hash")
);
--> statement-breakpoint
CREATE TABLE "totp_try" (
	"uid" text NOT NULL,
	"count" text NOT NULL,
	"counted" text NOT NULL,
	"wrong_tries" smallint NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"tried_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "totp_try_counted" PRIMARY KEY("uid","count","counted")
);
--> statement-breakpoint
-- They were confirmed by the second of their sign-in; whoever works now types a code once more.
DELETE FROM "totp_session";--> statement-breakpoint
ALTER TABLE "totp_session" DROP CONSTRAINT "totp_session_uid_signed_in_at_pk";--> statement-breakpoint
ALTER TABLE "totp_session" ADD COLUMN "key_hash" text PRIMARY KEY NOT NULL;--> statement-breakpoint
ALTER TABLE "totp_session" ADD COLUMN "confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "totp_session" ADD COLUMN "pending_secret" text;--> statement-breakpoint
ALTER TABLE "totp_session" ADD COLUMN "pending_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "totp_browser" ADD CONSTRAINT "totp_browser_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "totp_try" ADD CONSTRAINT "totp_try_uid_account_uid_fk" FOREIGN KEY ("uid") REFERENCES "public"."account"("uid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "totp_session_account" ON "totp_session" USING btree ("uid");--> statement-breakpoint
ALTER TABLE "account_totp" DROP COLUMN "pending_secret";--> statement-breakpoint
ALTER TABLE "account_totp" DROP COLUMN "wrong_tries";--> statement-breakpoint
ALTER TABLE "account_totp" DROP COLUMN "locked_until";