# Just enough JSON for a tool in POSIX sh, sourced by the tools beside it.
#
# A tool reads one object {"data": "<its input as JSON text>", "log_path": null} and writes one object
# {"status": ..., "summary": ..., "data": ...}. Everything here works on bytes, in one pass, with awk and
# printf alone. Text between the quotes of a JSON string, still escaped, is called raw.

LC_ALL=C
export LC_ALL

# json_field KEY: reads an object and prints the raw text of its member KEY, when that is a string.
# Fails when the object has no such member, or not as a string. KEY must be spelled without escapes.
json_field() {
    KEY=$1 awk '
        # Records end at a quote: what lies outside of strings and what lies inside them take turns.
        BEGIN { RS = "\""; wanted = ENVIRON["KEY"] }

        !inside {
            between = $0
            gsub(/[ \t\r\n]/, "", between)
            take = (!found && depth == 1 && is_key && key == wanted && between == ":")
            if (take) { found = 1 }
            brackets = between
            depth += gsub(/[{[]/, "", brackets)
            depth -= gsub(/[]}]/, "", brackets)
            is_key = (depth == 1 && between ~ /[{,]$/)
            key = ""
            inside = 1
            next
        }

        {
            if (take) { printf "%s", $0 } else if (is_key) { key = key $0 }
            # An odd number of backslashes at the end: the quote belongs to the string.
            if (match($0, /\\+$/) && RLENGTH % 2) {
                if (take) { printf "\"" } else { key = key "\"" }
            } else {
                inside = 0
            }
        }

        END { exit !found }
    '
}

# json_text: reads raw text and prints what it stands for. A lone surrogate becomes U+FFFD.
json_text() {
    # awk spells each character outside of ASCII in octal for printf, which also knows \n, \t, \\ and the
    # rest just as JSON does. So no byte has to survive awk, and the substitution loses no line end.
    json_text_spelled=$(awk '
        function byte(n) {
            return sprintf("\\0%o%o%o", int(n / 64), int(n / 8) % 8, n % 8)
        }
        function utf8(n) {
            if (n < 128) { return byte(n) }
            if (n < 2048) { return byte(192 + int(n / 64)) byte(128 + n % 64) }
            if (n < 65536) {
                return byte(224 + int(n / 4096)) byte(128 + int(n / 64) % 64) byte(128 + n % 64)
            }
            return byte(240 + int(n / 262144)) byte(128 + int(n / 4096) % 64) \
                byte(128 + int(n / 64) % 64) byte(128 + n % 64)
        }
        function hex(digits,    i, n) {
            for (i = 1; i <= 4; i++) {
                n = n * 16 + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
            }
            return n
        }
        function flush_high() {
            if (high) { printf "%s", utf8(65533) }
            high = 0
        }

        # Records end at a backslash, so every record but the first begins with what was escaped. An empty
        # one is an escaped backslash, and the record after it is plain text.
        BEGIN { RS = "\\"; plain = 1 }

        plain { plain = 0; printf "%s", $0; next }
        $0 == "" { flush_high(); printf "\\\\"; plain = 1; next }
        substr($0, 1, 1) == "u" {
            code = hex(substr($0, 2, 4))
            if (high && code >= 56320 && code < 57344) {
                printf "%s", utf8(65536 + (high - 55296) * 1024 + code - 56320)
                high = 0
            } else {
                flush_high()
                if (code >= 55296 && code < 56320) { high = code }
                else if (code >= 56320 && code < 57344) { printf "%s", utf8(65533) }
                else { printf "%s", utf8(code) }
            }
            if (high && length($0) > 5) { flush_high() }
            printf "%s", substr($0, 6)
            next
        }
        {
            flush_high()
            if ($0 !~ /^["\/]/) { printf "\\" }
            printf "%s", $0
        }
        END { flush_high() }
    ')
    printf '%b' "$json_text_spelled"
}

# json_raw: reads text and prints it as raw text. A line end at the very end is dropped.
json_raw() {
    awk '
        BEGIN {
            for (i = 1; i < 32; i++) { spelling[sprintf("%c", i)] = sprintf("u%04x", i) }
            spelling["\t"] = "t"
            spelling["\r"] = "r"
            backslash = "\\"
        }
        NR > 1 { printf "%s", backslash "n" }
        {
            gsub(/[\\"]/, "\\\\&")
            while (match($0, /[\001-\037]/)) {
                printf "%s", substr($0, 1, RSTART - 1) backslash spelling[substr($0, RSTART, 1)]
                $0 = substr($0, RSTART + 1)
            }
            printf "%s", $0
        }
    '
}

# answer STATUS SUMMARY RAW_DATA: writes the tool's one answer. SUMMARY is text, RAW_DATA is raw.
answer() {
    printf '{"status":"%s","summary":"%s","data":"%s"}\n' "$1" "$(printf '%s' "$2" | json_raw)" "$3"
}
