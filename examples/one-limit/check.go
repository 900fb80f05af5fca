package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

func main() {
	check, _ := json.Marshal(map[string]any{
		"limiter":    "api",
		"request":    map[string]any{"ip": "203.0.113.7"},
		"identities": map[string]any{"tenant": "acme"},
	})
	response, err := http.Post("http://127.0.0.1:8080/check", "application/json", bytes.NewReader(check))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	fmt.Println(response.StatusCode, response.Header.Get("X-RateLimit-Remaining"))
}
